import type { ReactNode } from 'react'
import { PageTabs } from './page-tabs'

/**
 * Shows the heading of a page, the buttons that start something there, and the tabs below it. `children`: a sentence about its
 * purpose; on the page of one thing, a line of facts.
 */
export function PageHead({
  title,
  children,
  state,
  action,
}: {
  title: ReactNode
  children: ReactNode
  /** The switch of the thing that the page is about. */
  state?: ReactNode
  /** The most used first; the last one may be the menu of the others. */
  action?: ReactNode
}) {
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-xl [overflow-wrap:anywhere]">{title}</h1>
          <div className="max-w-[72ch] text-muted">{children}</div>
        </div>
        {(state || action) && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {state}
            {action && <div className="flex flex-wrap gap-2">{action}</div>}
          </div>
        )}
      </div>
      <PageTabs />
    </>
  )
}
