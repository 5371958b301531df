import { type ReactNode, useId } from 'react'

/** Marks what the index beside a page links to. */
export const indexedSection = 'data-indexed'

/** Shows a part of a page under its own heading, which links can lead to. */
export function Section({
  id: anchor,
  title,
  action,
  children,
}: {
  /** For links that lead here; left out = made of the title. */
  id?: string
  title: string
  action?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      id={anchor ?? anchorOf(title)}
      aria-labelledby={id}
      className="flex scroll-mt-16 flex-col gap-2"
      {...{ [indexedSection]: '' }}
    >
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** Returns the anchor of a heading: "Site file" -> "site-file". */
function anchorOf(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}
