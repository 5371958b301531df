import type { CSSProperties, ReactNode } from 'react'

type Props = { label: string; className: string; style?: CSSProperties; children: ReactNode }

/** A part that scrolls by itself, so it must be reachable by keyboard and have a name. */
export function ScrollRegion({ label, children, ...looks }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll here
    <section aria-label={label} tabIndex={0} {...looks}>
      {children}
    </section>
  )
}
