import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SortDirection } from '@/lib/protocol/sort-order'
import { cn } from '../ui/cn'
import { QuietLink } from '../ui/quiet-link'
import { TableHead } from '../ui/table'

const icons = { asc: ArrowUp, desc: ArrowDown, none: ChevronsUpDown }
const said = { asc: 'ascending', desc: 'descending', none: undefined } as const

/** Shows the head of a column that sorts. It is a link, so the order is in the address and works before hydration. */
export function SortHead({
  href,
  direction,
  figures = false,
  children,
}: {
  href: string
  /** The direction in which this column sorts the list now; none = another column sorts it. */
  direction: SortDirection | 'none'
  figures?: boolean
  children: ReactNode
}) {
  const Icon = icons[direction]
  return (
    <TableHead aria-sort={said[direction]} className={cn('py-0', figures && 'text-right')}>
      <QuietLink
        href={href}
        replace
        scroll={false}
        className={cn(
          'group -mx-1 inline-flex items-center gap-1 rounded-sm px-1 py-2 hover:text-strong',
          figures && 'flex-row-reverse',
          direction !== 'none' && 'text-strong',
        )}
      >
        {children}
        <Icon
          className={cn(
            'size-3.5',
            direction === 'none' && 'opacity-50 group-hover:opacity-100 group-focus:opacity-100',
          )}
          aria-hidden
        />
      </QuietLink>
    </TableHead>
  )
}
