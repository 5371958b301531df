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
  /** The most used first; the last one may be the menu of the others. On a phone they stand below a long title. */
  action?: ReactNode
}) {
  return (
    <>
      <div>
        <div className="flex items-center justify-between gap-x-4 gap-y-2 max-sm:flex-wrap">
          <h1 className="min-w-0 text-xl [overflow-wrap:anywhere]">{title}</h1>
          {(state || action) && (
            <div className="flex items-center gap-x-4 gap-y-2 max-sm:flex-wrap sm:shrink-0">
              {state}
              {action && <div className="flex gap-2">{action}</div>}
            </div>
          )}
        </div>
        <div className="max-w-[72ch] text-muted max-sm:mt-1">{children}</div>
      </div>
      <PageTabs />
    </>
  )
}
