import type { SortOrder } from '@/lib/protocol/sort-order'
import { addressOf } from '../forms/address-of'

/**
 * Where a list stands: all that its address says. `values` is what narrows it, under the names of the filter's fields;
 * `sort.usual` is the order that the address need not name.
 */
export type ListAddress<Key extends string = string> = {
  path: string
  values: Record<string, string | undefined>
  page: number
  sort: { by: SortOrder<Key>; usual: SortOrder<Key> } | null
}

/** The part of the address that a filter leaves alone. */
export function orderInAddress({ sort }: ListAddress): { sort: string | undefined } {
  return { sort: sort === null || sort.by === sort.usual ? undefined : sort.by }
}

export function pageHref(address: ListAddress, page: number): string {
  return addressOf(address.path, { ...address.values, ...orderInAddress(address), page })
}

/** Another order begins at the first page. */
export function sortHref<Key extends string>(
  { path, values, sort }: ListAddress<Key>,
  by: SortOrder<Key>,
): string {
  return addressOf(path, { ...values, sort: by === sort?.usual ? undefined : by })
}
