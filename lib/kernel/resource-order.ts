import { matchesSearch } from '../protocol/matches-search'
import { sortParts } from '../protocol/sort-order'
import type { AnyOptions } from './resource-options'
import type { Values } from './resource-values'

/** Returns whether a row of a list passes its search, its filters and its switch. */
export function passes(row: Values, wanted: Values, options: AnyOptions): boolean {
  const { search, state, sort: _order, ...filters } = wanted
  if (state !== undefined && row.enabled !== (state === 'on')) return false
  const fits = options.fits
    ? options.fits(row, wanted)
    : Object.entries(filters).every(([name, only]) => only === undefined || row[name] === only)
  if (!fits) return false
  return search === undefined || matchesSearch(String(search), options.searched(row))
}

/** Returns rows in an order, equal ones by the first text of `searched`. */
export function inOrder(rows: Values[], order: string, { orders, searched }: AnyOptions): Values[] {
  const { key, direction } = sortParts(order)
  const way = direction === 'asc' ? 1 : -1
  const compared = rows.map((row) => ({
    row,
    value: orders?.[key]?.(row) ?? usual(row, key),
    text: searched(row)[0] ?? '',
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
