import { SearchX } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { AddressFilter, type FilterField } from '@/components/forms/address-filter'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageLinks } from '@/components/ui/page-links'
import { rowsPerPage } from '@/lib/shape/resource'
import { countOf, formatCount } from '@/lib/words/format'
import { type ListAddress, pageHref } from './list-address'

type Props = {
  /** The singular name of a row: "group". Counts and the text of an empty list are made of it. */
  thing: string
  things?: string
  address: ListAddress
  fields: readonly FilterField[]
  /** Fields of the filter that stand behind a button. */
  more?: readonly FilterField[]
  /** The number of rows that match the filter, on all pages. */
  total: number
  /** The number of rows without the filter, where that is known: "3 of 12 groups". */
  whole?: number
  pageSize: number
  /** There are more rows than `total`, which are not counted, and so many pages as far as is known. */
  capped?: { pages: number } | null
  /** The cursor of the next page, where the list has one. Without it, pages are told apart by their numbers. */
  nextCursor?: string | null
  /** The columns that the search reads: "name and description". */
  searched: string
  /** Shown when there are no rows even without a filter, mostly an `EmptyState` with the first step. */
  nothing: ReactNode
  /** The rows of this page, mostly a `DataTable`; shown when it has any. */
  children: ReactNode
}

/** Shows a list's frame: the filter with the count, the links to the other pages, and a text when the list is empty. */
export function ListFrame({
  thing,
  things = `${thing}s`,
  address,
  fields,
  more,
  total,
  whole = total,
  pageSize,
  capped = null,
  nextCursor,
  searched,
  nothing,
  children,
}: Props) {
  const pages = capped?.pages ?? Math.ceil(total / pageSize)
  const narrowed = Object.values(address.values).some((value) => value !== undefined)
  const count = capped ? `${formatCount(total)}+ ${things}` : countOf(whole, thing, things)
  return (
    <>
      {(narrowed || whole > 0) && (
        <AddressFilter
          fields={fields}
          {...(more && { more })}
          count={whole === total ? count : `${formatCount(total)} of ${count}`}
        />
      )}
      {total > 0 && address.page <= pages && children}
      {total > 0 && address.page > pages && (
        <Empty title="This page does not exist" to={pageHref(address, 1)} go="First page" />
      )}
      {total === 0 && !narrowed && nothing}
      {total === 0 && narrowed && (
        <Empty title={`No ${thing} matches this filter`} to={address.path} go="Clear filter">
          The search looks at {searched}.
        </Empty>
      )}
      <PageLinks
        of={things}
        page={address.page}
        pages={pages}
        hrefOf={(page) => pageHref(address, page, page > address.page ? nextCursor : null)}
      />
    </>
  )
}

/** Shows a list whose rows were all read: its frame, and the rows of one page. `found`: those that match the filter. */
export function WholeList<T, Key extends string>({
  found,
  address,
  list: List,
  ...frame
}: Omit<Props, 'address' | 'total' | 'pageSize' | 'children'> & {
  found: readonly T[]
  address: ListAddress<Key>
  list: (props: { rows: T[]; address: ListAddress<Key> }) => ReactNode
}) {
  const { page } = address
  return (
    <ListFrame {...frame} address={address} total={found.length} pageSize={rowsPerPage}>
      <List rows={found.slice((page - 1) * rowsPerPage, page * rowsPerPage)} address={address} />
    </ListFrame>
  )
}

/** Shows one page of rows that were all read and have no frame, and the links to the others. `things` names the rows. */
export function PagedRows<T>({
  things,
  rows,
  address,
  children,
}: {
  things: string
  rows: readonly T[]
  address: ListAddress
  children: (rows: readonly T[]) => ReactNode
}) {
  const pages = Math.max(1, Math.ceil(rows.length / rowsPerPage))
  const page = Math.min(address.page, pages)
  return (
    <>
      {children(rows.slice((page - 1) * rowsPerPage, page * rowsPerPage))}
      <PageLinks of={things} page={page} pages={pages} hrefOf={(next) => pageHref(address, next)} />
    </>
  )
}

function Empty(props: { title: string; to: string; go: string; children?: ReactNode }) {
  const action = (
    <Button asChild>
      <Link href={props.to}>{props.go}</Link>
    </Button>
  )
  return (
    <EmptyState icon={SearchX} title={props.title} action={action}>
      {props.children}
    </EmptyState>
  )
}
