import type { ReactNode } from 'react'
import { cn } from './cn'
import { SideIndex } from './side-index'

/** What a page is: its left edge is the same for all, its width and the space between its parts are not. */
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
  hasIndex = false,
  status,
  children,
}: {
  kind: PageKind
  /** Links to the sections stand beside them. For pages of more than about two screens. */
  hasIndex?: boolean
  status?: string
  children: ReactNode
}) {
  return (
    <div {...(status && { role: 'status' })} className={cn('flex gap-8 p-4 md:p-6', widths[kind])}>
      {status && <span className="sr-only">{status}</span>}
      {hasIndex && <SideIndex />}
      <div className={cn('flex min-w-0 flex-1 flex-col', parts[kind])}>{children}</div>
    </div>
  )
}
