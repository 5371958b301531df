import type { Ctx } from '@/lib/kernel/context'
import { pathOf } from '@/lib/protocol/nouns'
import type { Definition, Resource, SortKeyOf } from '@/lib/shape/resource'
import { untyped } from '@/lib/shape/resource'
import type { SortOrder } from '@/lib/shape/sort-order'
import { lenientQuery, type Params } from './lenient-query'
import type { Listing } from './resource-rows'
import { type ResourceVerbs, untypedVerbs } from './resource-verbs'

/**
 * One page of a list, and the address that it has. `total`: the number of rows on all pages; `whole`: the number without
 * the filter.
 */
export type ReadList<D extends Definition> = {
  rows: Listing<D>[]
  total: number
  whole: number
  pageSize: number
  address: {
    path: string
    values: Record<string, string | undefined>
    page: number
    sort: { by: SortOrder<SortKeyOf<D>>; default: SortOrder<SortKeyOf<D>> }
  }
}

/** Returns the page of a resource's list that an address asks for. Values it does not know are ignored. */
export async function readResourceList<D extends Definition>(
  ctx: Ctx,
  typed: Resource<D>,
  verbs: ResourceVerbs<D>,
  params: Params,
): Promise<ReadList<D>> {
  const resource = untyped(typed)
  const filter = lenientQuery(resource.Filter, params)
  const { page, pageSize, sort, ...values } = filter
  const read = await untypedVerbs(verbs).page(ctx, filter)
  const address = {
    path: pathOf(resource),
    values,
    page,
    sort: { by: sort, default: resource.order },
  }
  // The rows and orders are those of the resource, whose types the code above does not know.
  return { ...read, pageSize, address } as unknown as ReadList<D>
}
