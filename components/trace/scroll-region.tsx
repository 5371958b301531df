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

/**
 * What the browser lays out and paints only near the screen. Wider than its content, because what is outside of such a
 * box is cut off, as the ring of the focus.
 */
export const laidOutWhenNear =
  '-mx-1 px-1 [contain-intrinsic-size:auto_16rem] [content-visibility:auto]'
