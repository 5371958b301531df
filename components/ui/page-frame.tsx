import type { ReactNode } from 'react'
import { cn } from './cn'

/** Kind of page: the left edge is the same for all, the width and the space between parts are not. */
export type PageKind = 'list' | 'detail' | 'form'

const widths: Record<PageKind, string> = { list: '', detail: 'max-w-7xl', form: '' }
const parts: Record<PageKind, string> = {
  list: 'gap-4',
  detail: 'gap-6',
  form: 'gap-6 *:max-w-160',
}

/**
 * Gives a page its left edge and its width: lists use all of the window, the page of one thing has one width, and all parts of a
 * form are as wide as a form may be. `status` says to screen readers that the page is still loading.
 */
export function PageFrame({
  kind,
  index,
  status,
  children,
}: {
  kind: PageKind
  /** A `SideIndex`, for pages of more than about two screens. */
  index?: ReactNode
  status?: string
  children: ReactNode
}) {
  return (
    <div {...(status && { role: 'status' })} className={cn('flex gap-8 p-4 md:p-6', widths[kind])}>
      {status && <span className="sr-only">{status}</span>}
      {index}
      <div className={cn('flex min-w-0 flex-1 flex-col', parts[kind])}>{children}</div>
    </div>
  )
}
