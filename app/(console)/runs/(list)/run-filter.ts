import { addressOf } from '@/components/forms/address-of'
import { RunFilter } from '@/lib/runs/schemas'
import { isStorableText } from '@/lib/storable-text'

type Params = Record<string, string | string[] | undefined>

const shape = RunFilter.omit({ pageSize: true }).shape
const keys = ['search', 'status', 'reason', 'configuration', 'user', 'page', 'sort'] as const

/** From the page's address; what makes no sense there counts as not given. */
export function readRunFilter(params: Params): RunFilter {
  const known = keys.flatMap((key) => {
    const value = params[key]
    if (typeof value !== 'string' || value === '' || !isStorableText(value)) return []
    return shape[key].safeParse(value).success ? [[key, value]] : []
  })
  return RunFilter.parse(Object.fromEntries(known))
}

/** What of a filter the address keeps; the usual order is left out. */
export function filterInAddress(filter: Partial<RunFilter>): Record<string, string | undefined> {
  const { search, status, reason, configuration, user, sort } = filter
  const order = sort === 'newest' ? undefined : sort
  return { search, status, reason, configuration, user, sort: order }
}

/** The way back: "/runs?search=log&page=2". */
export function runsAddress(filter: Partial<RunFilter>): string {
  return addressOf('/runs', { ...filterInAddress(filter), page: filter.page })
}

/** Whether anything but order and page narrows the list. */
export function isNarrowed({ search, status, reason, configuration, user }: RunFilter): boolean {
  return [search, status, reason, configuration, user].some((each) => each !== undefined)
}
