import type { ReactNode } from 'react'
import { type SortDirection, type SortOrder, sortBy } from '@/lib/shape/sort-order'

/** The kind of values in a column. It decides the direction of the first press and the words for both directions. */
export type SortKind = 'text' | 'number' | 'time' | 'coming' | 'switch' | 'trust' | 'sensitivity'

type Look<Row> = {
  cell: (row: Row) => ReactNode
  /** Class names of the cell, such as its greatest width. */
  className?: string
  /** Figures are aligned right, in digits of one width. */
  figures?: boolean
  /** Buttons of the row, which a pointer sees while it is on the row. */
  acts?: boolean
}

/** A column. When it sorts, its key is one of the list's sort keys; otherwise `head` may be for screen readers only. */
export type Column<Row, Key extends string = never> = Look<Row> &
  ({ key: Key; head: string; sort: SortKind } | { key: string; head: ReactNode; sort?: undefined })

export type SortableColumn<Row, Key extends string> = Extract<Column<Row, Key>, { sort: SortKind }>

const kinds: Record<SortKind, Record<SortDirection, string> & { first: SortDirection }> = {
  text: { first: 'asc', asc: 'A to Z', desc: 'Z to A' },
  number: { first: 'desc', asc: 'lowest first', desc: 'highest first' },
  time: { first: 'desc', asc: 'oldest first', desc: 'newest first' },
  coming: { first: 'asc', asc: 'soonest first', desc: 'latest first' },
  switch: { first: 'desc', asc: 'off first', desc: 'on first' },
  trust: { first: 'desc', asc: 'highest trust first', desc: 'lowest trust first' },
  sensitivity: { first: 'desc', asc: 'least sensitive first', desc: 'most sensitive first' },
}

/** Returns the order that a press on a column's head asks for: its first direction, then the other. */
export function nextOrder<Key extends string>(
  { key, sort }: { key: Key; sort: SortKind },
  current: SortOrder<Key> | undefined,
): SortOrder<Key> {
  const [usual, other] = waysOf(sort)
  const order = sortBy(key, usual)
  return current === order ? sortBy(key, other) : order
}

/** Returns both directions in words, the first one first: "Cost, highest first". */
export function ordersOf<Key extends string>({
  key,
  head,
  sort,
}: {
  key: Key
  head: string
  sort: SortKind
}): { order: SortOrder<Key>; label: string }[] {
  return waysOf(sort).map((way) => ({
    order: sortBy(key, way),
    label: `${head}, ${kinds[sort][way]}`,
  }))
}

function waysOf(sort: SortKind): [SortDirection, SortDirection] {
  return kinds[sort].first === 'asc' ? ['asc', 'desc'] : ['desc', 'asc']
}
