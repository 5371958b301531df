import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { lenientQuery, type Params } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import { readRunColumns } from '@toolgate/server/runs/lists/run-columns'
import { listRunViews } from '@toolgate/server/runs/lists/run-views'
import {
  defaultRunColumns,
  type RunView,
  runColumnsOf,
  ViewQuery,
} from '@toolgate/server/runs/lists/view-schemas'
import { defaultRunSort, type RunFilter } from '@toolgate/server/runs/schemas'
import { z } from 'zod'
import { addressOf } from '@/components/forms/address-of'
import { toAddress } from './run-filter'

/** `columns` stand in the address only while they differ from those of the view. */
const Place = z.object({
  view: z.uuid().optional(),
  columns: z
    .string()
    .max(500)
    .transform((text) => runColumnsOf(text.split(',')))
    .optional(),
})

/** Part of a view that the browser needs: `by` names its owner, `href` opens it as it is saved. */
export type ListedView = Pick<RunView, 'id' | 'name' | 'shared' | 'mine' | 'by'> & { href: string }

/** Returns the saved views, the one that the address names, and the columns that the list shows. */
export async function openView(ctx: Ctx, params: Params, filter: RunFilter) {
  const place = lenientQuery(Place, params)
  const [{ views }, own] = await Promise.all([listRunViews(ctx, {}), readRunColumns(ctx)])
  const view = views.find(({ id }) => id === place.view)
  const columns = view ? (place.columns ?? view.columns) : own
  const { page: _page, pageSize: _size, cursor: _cursor, ...kept } = filter
  const query = ViewQuery.parse(kept)
  const isChanged =
    view !== undefined && !(isSame(query, view.query) && isSame(columns, view.columns))
  const listed = await withPersonNames(views.map(toListed), ['by'])
  return {
    views: listed,
    view: listed.find(({ id }) => id === view?.id) ?? null,
    isGone: place.view !== undefined && !view,
    isChanged,
    columns,
    isOwnChoice: !isSame(columns, view?.columns ?? defaultRunColumns),
    /** Saved state of the list. */
    query,
    beside: {
      view: view?.id,
      columns: view && place.columns ? place.columns.join(',') : undefined,
    },
  }
}

function toListed({ id, name, shared, mine, by, query }: RunView): ListedView {
  return { id, name, shared, mine, by, href: listHref(query, { view: id }) }
}

/** Returns the address of the list with this filter and order, at its first page. */
export function listHref(query: ViewQuery, beside: Record<string, string | undefined>): string {
  const sort = query.sort === defaultRunSort ? undefined : query.sort
  return addressOf('/runs', { ...beside, ...toAddress(query), sort })
}

/** Returns whether two filters or lists of columns say the same; the order in which a filter says it does not count. */
function isSame(one: object, other: object): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: object): string {
  const said = Object.entries(value).filter(([, each]) => each !== undefined)
  return JSON.stringify(said.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
