import type { z } from 'zod'
import { db, type Tx } from '@/lib/kernel/db'
import type { Definition, Resource } from '@/lib/shape/resource'
import { sortParts } from '@/lib/shape/sort-order'
import { matchesSearch } from '@/lib/words/matches-search'
import type { Values } from './resource-values'

export type Listing<D extends Definition> = z.output<Resource<D>['Listing']>
type Wanted<D extends Definition> = z.output<Resource<D>['Wanted']>

/** The part of a list that a page shows. */
export type Part = { skip: number; take: number }

/** The orders that follow from the shape: by a field, by the title, by the switch. */
type UsualOrder<D extends Definition> = keyof D['fields'] | 'title' | 'state'
type Order<D extends Definition> = (row: Listing<D>) => string | number
type OwnOrders<D extends Definition> = Exclude<D['sorts'][number], UsualOrder<D>>

/** Lists read all objects, and find those that are wanted. */
type WholeLists<D extends Definition, S> = {
  /** The most there can be. */
  most: number
  /** Returns all objects, as lists need them. */
  rows: (client: Tx) => Promise<S[]>
  /** Returns the texts that a search looks at; left out = the name, and the fields that are `searched`. */
  searched?: (row: Listing<D>) => readonly (string | null | undefined)[]
  /** Returns whether a row passes the filters; left out = each of them is a field, and the same. */
  fits?: (row: Listing<D>, wanted: Wanted<D>) => boolean
} & ([OwnOrders<D>] extends [never]
  ? { orders?: { [K in D['sorts'][number]]?: Order<D> } }
  : {
      /**
       * Returns what each order compares that is neither a field nor the switch. Equal rows are ordered by the first text of
       * `searched`.
       */
      orders: { [K in OwnOrders<D>]: Order<D> } & { [K in D['sorts'][number]]?: Order<D> }
    })

/** Lists read the objects of one page. */
type PagedLists<D extends Definition, S> = {
  /** Returns what is wanted, in its order, and how many there are of it. `part` null = all of it. */
  page: (client: Tx, wanted: Wanted<D>, part: Part | null) => Promise<{ rows: S[]; total: number }>
}

/** Reads of a list: as a whole, or a page at a time where there may be thousands. */
export type ListOptions<D extends Definition, S> = WholeLists<D, S> | PagedLists<D, S>

/** Reads of a list of a resource whose fields are not known to the compiler. */
export type AnyListOptions<S> = {
  store: { count: (client: Tx) => Promise<number> }
  most?: number
  rows?: (client: Tx) => Promise<S[]>
  searched?: (row: Values) => readonly (string | null | undefined)[]
  fits?: (row: Values, wanted: Values) => boolean
  orders?: Readonly<Record<string, (row: Values) => string | number>>
  page?: (client: Tx, wanted: Values, part: Part | null) => Promise<{ rows: S[]; total: number }>
}

/** `total`: the number on all pages; `whole`: the number without the filter. */
type Found = { rows: Values[]; total: number; whole: number }

/** Returns what reads a list. `part` null = all of it. `listingOf` makes what is shown of what is stored. */
export function listReader<S>(options: AnyListOptions<S>, listingOf: (stored: S) => Values) {
  return async (wanted: Values, part: Part | null): Promise<Found> => {
    const { rows, page, store } = options
    if (page) {
      const found = await page(db(), wanted, part)
      const whole = await store.count(db())
      return { rows: found.rows.map(listingOf), total: found.total, whole }
    }
    const all = ((await rows?.(db())) ?? []).map(listingOf)
    const fitting = all.filter((row) => passes(row, wanted, options))
    const found = inOrder(fitting, String(wanted.sort), options)
    const shown = part ? found.slice(part.skip, part.skip + part.take) : found
    return { rows: shown, total: found.length, whole: all.length }
  }
}

/** Returns whether a row of a list passes its search, its filters and its switch. */
function passes<S>(row: Values, wanted: Values, options: AnyListOptions<S>): boolean {
  const { search, state, sort: _order, ...filters } = wanted
  if (state !== undefined && row.enabled !== (state === 'on')) return false
  const fits = options.fits
    ? options.fits(row, wanted)
    : Object.entries(filters).every(([name, only]) => only === undefined || row[name] === only)
  if (!fits) return false
  return search === undefined || matchesSearch(String(search), options.searched?.(row) ?? [])
}

/** Returns rows in an order, equal ones by the first text of `searched`. */
function inOrder<S>(
  rows: Values[],
  order: string,
  { orders, searched }: AnyListOptions<S>,
): Values[] {
  const { key, direction } = sortParts(order)
  const way = direction === 'asc' ? 1 : -1
  const compared = rows.map((row) => ({
    row,
    value: orders?.[key]?.(row) ?? usual(row, key),
    text: searched?.(row)[0] ?? '',
  }))
  compared.sort((a, b) => {
    if (a.value === b.value) return a.text.localeCompare(b.text)
    return a.value < b.value ? -way : way
  })
  return compared.map(({ row }) => row)
}

/** Returns what an order by a field or the switch compares: text without its case. */
function usual(row: Values, key: string): string | number {
  const { [key === 'state' ? 'enabled' : key]: value } = row
  return typeof value === 'number' || typeof value === 'boolean'
    ? Number(value)
    : String(value ?? '').toLowerCase()
}
