import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { HoverPrefetchLink } from '@/components/ui/hover-prefetch-link'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import { type SortDirection, sortParts } from '@/lib/shape/sort-order'
import { type Column, nextOrder, ordersOf, type SortableColumn } from './columns'
import { type ListAddress, sortHref } from './list-address'
import { SortPicker } from './sort-picker'

type Props<Row, Key extends string> = {
  /** Names the list for screen readers: "Groups". */
  label: string
  /** From left to right. The head of a column with `sort` sorts by the column's key. */
  columns: readonly Column<Row, Key>[]
  /** One page of rows, which the page has read in the order that its address asks for. */
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The rows that stand below a row now, such as the members of a panel that is open; left out = none have any. */
  below?: (row: Row) => readonly Row[]
  /**
   * Returns the card of a row for a narrow screen: the two facts that matter, with a `CardLink` where the row has a
   * page.
   */
  card: (row: Row) => ReactNode
  /** The address that `ListFrame` gets, too. Heads are links to it with another `sort`. */
  address: ListAddress<Key>
  /** Wide tables become cards earlier. */
  tableFrom?: 'md' | 'lg'
  /** The one of both that is rendered, where the caller knows the width of the window. */
  only?: 'table' | 'cards'
  /** Rows of one line each. */
  dense?: boolean
}

/**
 * Shows a list as a table with sortable heads, or on narrow screens as cards with a select for the order. It reads no
 * rows and has no state: the order is in the address (`sort=name`, `sort=-name`), which the page parses with `sortOrder`
 * of lib/protocol; an unknown order becomes the default one.
 *
 *   const columns: Column<GroupRow, GroupSortKey>[] = [
 *     { key: 'name', head: 'Group', sort: 'text', cell: (row) => <RowLink href={…}>{row.name}</RowLink> },
 *     { key: 'members', head: 'Members', sort: 'number', figures: true, cell: (row) => formatCount(row.members) },
 *   ]
 */
export function DataTable<Row, Key extends string = never>({
  label,
  columns,
  rows,
  rowKey,
  below = () => [],
  card,
  address,
  tableFrom = 'md',
  only,
  dense = false,
}: Props<Row, Key>) {
  return (
    <>
      {only !== 'cards' && (
        <div className={cn(!only && (tableFrom === 'md' ? 'hidden md:block' : 'hidden lg:block'))}>
          <Table aria-label={label} className={cn(dense && 'dense-cells')}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <Head key={column.key} column={column} address={address} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Fragment key={rowKey(row)}>
                  <Line columns={columns} row={row} />
                  {below(row).map((under) => (
                    <Line key={rowKey(under)} columns={columns} row={under} isBelow />
                  ))}
                </Fragment>
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {only !== 'table' && (
        <div
          className={cn(
            'flex flex-col gap-2 max-md:-mt-2',
            !only && (tableFrom === 'md' ? 'md:hidden' : 'lg:hidden'),
          )}
        >
          <Order columns={columns} address={address} />
          <ul className="flex flex-col gap-2">
            {rows.map((row) => (
              <li key={rowKey(row)} className="flex flex-col gap-2">
                <article className={cardFrame}>{card(row)}</article>
                {below(row).map((under) => (
                  <article key={rowKey(under)} className={cn(cardFrame, 'ml-4')}>
                    {card(under)}
                  </article>
                ))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

const cardFrame = 'relative flex flex-col gap-2 rounded-md border bg-surface-1 p-3'

function Line<Row, Key extends string>({
  columns,
  row,
  isBelow = false,
}: Pick<Props<Row, Key>, 'columns'> & { row: Row; isBelow?: boolean }) {
  return (
    <TableRow className={cn('hover-row', isBelow && '[&>td:first-child]:pl-10')}>
      {columns.map(({ key, cell, className, figures, acts }) => (
        <TableCell
          key={key}
          className={cn(figures && 'figures', acts && 'row-acts', className) || undefined}
        >
          {cell(row)}
        </TableCell>
      ))}
    </TableRow>
  )
}

function Head<Row, Key extends string>({
  column,
  address,
}: {
  column: Column<Row, Key>
  address: ListAddress<Key>
}) {
  if (!column.sort || address.sort === null) {
    return <TableHead className={cn(column.figures && 'text-right')}>{column.head}</TableHead>
  }
  const { by } = address.sort
  const { key, direction } = sortParts(by)
  return (
    <SortHead
      href={sortHref(address, nextOrder(column, by))}
      direction={key === column.key ? direction : 'none'}
      figures={column.figures}
    >
      {column.head}
    </SortHead>
  )
}

function Order<Row, Key extends string>({
  columns,
  address,
}: Pick<Props<Row, Key>, 'columns' | 'address'>) {
  const choices = columns.filter(sorts).flatMap(ordersOf)
  if (address.sort === null || choices.length === 0) return null
  return <SortPicker defaultOrder={address.sort.default} choices={choices} />
}

function sorts<Row, Key extends string>(
  column: Column<Row, Key>,
): column is SortableColumn<Row, Key> {
  return column.sort !== undefined
}

const icons = { asc: ArrowUp, desc: ArrowDown, none: ChevronsUpDown }
const said = { asc: 'ascending', desc: 'descending', none: undefined } as const

/** Shows the head of a column that sorts. It is a link, so the order is in the address and works before hydration. */
function SortHead({
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
      <HoverPrefetchLink
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
      </HoverPrefetchLink>
    </TableHead>
  )
}
