import type { CSSProperties, ReactNode } from 'react'

type Props = { label: string; className: string; style?: CSSProperties; children: ReactNode }

/** Shows a region that scrolls. It has a name and can be focused, so that the keyboard can scroll it. */
export function ScrollRegion({ label, children, ...looks }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll here
    <section aria-label={label} tabIndex={0} {...looks}>
      {children}
    </section>
  )
}
