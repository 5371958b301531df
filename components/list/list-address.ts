import { addressOf } from '@/components/forms/address-of'
import type { SortOrder } from '@/lib/shape/sort-order'

/**
 * The state of a list that its address holds. `values`: the filter, by the names of its fields. `beside`: what stays while
 * the filter changes, such as a saved view. `sort.default`: the default order, which the address leaves out.
 */
export type ListAddress<Key extends string = string> = {
  path: string
  values: Record<string, string | undefined>
  beside?: Record<string, string | undefined>
  page: number
  sort: { by: SortOrder<Key>; default: SortOrder<Key> } | null
}

/** Returns the address of a page. `cursor` = the last row of the page before; with it, pages far back are as quick. */
export function pageHref(
  { path, values, beside, sort }: ListAddress,
  page: number,
  cursor?: string | null,
): string {
  const by = sort === null || sort.by === sort.default ? undefined : sort.by
  return addressOf(path, { ...beside, ...values, sort: by, page, cursor: cursor ?? undefined })
}

/** Returns the address with another order, at the first page. */
export function sortHref<Key extends string>(
  { path, values, beside, sort }: ListAddress<Key>,
  by: SortOrder<Key>,
): string {
  return addressOf(path, { ...beside, ...values, sort: by === sort?.default ? undefined : by })
}
