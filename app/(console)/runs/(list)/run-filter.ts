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

/** The way back: "/runs?search=log&page=2". */
export function runsAddress(filter: Partial<RunFilter>): string {
  const params = new URLSearchParams()
  for (const key of keys) {
    const value = filter[key]
    const standard = key === 'page' ? 1 : key === 'sort' ? 'newest' : undefined
    if (value !== undefined && value !== '' && value !== standard) params.set(key, String(value))
  }
  const text = params.toString()
  return text ? `/runs?${text}` : '/runs'
}

/** Whether anything but order and page narrows the list. */
export function isNarrowed({ search, status, reason, configuration, user }: RunFilter): boolean {
  return [search, status, reason, configuration, user].some((each) => each !== undefined)
}
