import { type ReactNode, useId } from 'react'

/** Shows a part of a page under its own heading. */
export function Section({
  id: anchor,
  title,
  action,
  children,
}: {
  /** For links that lead here. */
  id?: string
  title: string
  action?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section id={anchor} aria-labelledby={id} className="flex scroll-mt-16 flex-col gap-2">
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
