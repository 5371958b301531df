import type { ReactNode } from 'react'

/** Shows the heading of a page, a sentence about its purpose, and the buttons that start something there. */
export function PageHead({
  title,
  children,
  action,
}: {
  title: ReactNode
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-xl [overflow-wrap:anywhere]">{title}</h1>
        <div className="max-w-[72ch] text-muted">{children}</div>
      </div>
      {action && <div className="flex flex-wrap gap-2">{action}</div>}
    </div>
  )
}
