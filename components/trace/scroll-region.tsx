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
 * Lets the browser lay out and paint only content near the screen. It is wider than its content, because such a box
 * cuts off what is outside, such as the focus ring.
 */
export const laidOutWhenNear =
  '-mx-1 px-1 [contain-intrinsic-size:auto_16rem] [content-visibility:auto]'
