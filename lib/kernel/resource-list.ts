import type { Definition, ListingOf, Resource, SortKeyOf } from '../protocol/resource'
import { untyped } from '../protocol/resource'
import type { SortOrder } from '../protocol/sort-order'
import type { Ctx } from './context'
import { lenientQuery, type Params } from './lenient-query'
import { type ResourceVerbs, untypedVerbs } from './resource-verbs'

type List<D extends Definition> = {
  found: ListingOf<Resource<D>>[]
  whole: number
  address: {
    path: string
    values: Record<string, string | undefined>
    page: number
    sort: { by: SortOrder<SortKeyOf<D>>; default: SortOrder<SortKeyOf<D>> }
  }
}

/** Returns the list of a resource that a page's address asks for, and that address. Values it does not know are ignored. */
export async function readResourceList<D extends Definition>(
  ctx: Ctx,
  typed: Resource<D>,
  verbs: ResourceVerbs<D>,
  params: Params,
): Promise<List<D>> {
  const resource = untyped(typed)
  const { page, sort, ...values } = lenientQuery(resource.Filter, params)
  const { rows: found, whole } = await untypedVerbs(verbs).list(ctx, { ...values, sort })
  const address = {
    ...{ path: `/${resource.nouns}`, values, page },
    sort: { by: sort, default: resource.order },
  }
  // The rows and orders are those of the resource, whose types the code above does not know.
  return { found, whole, address } as unknown as List<D>
}
