import { z } from 'zod'
import { lenientQuery } from '@/lib/kernel/lenient-query'
import { EndReason } from '@/lib/protocol/run-event'
import { RunFilter } from '@/lib/runs/schemas'

type Params = Record<string, string | string[] | undefined>

const statuses = ['queued', 'running', 'waiting'] as const
const Status = z.enum(statuses)

/** The filter in the address of the list. Status and end reason are one field, because people ask for either. */
const Query = RunFilter.omit({ status: true, reason: true }).extend({
  state: z.enum([...statuses, ...EndReason.options]).optional(),
})

/** From the page's address; what makes no sense there counts as not given. */
export function readRunQuery(params: Params): z.output<typeof Query> {
  return lenientQuery(Query, params)
}

/** Returns the filter as `listRuns` takes it. */
export function toRunFilter({ state, ...rest }: z.output<typeof Query>): RunFilter {
  if (state === undefined) return rest
  const status = Status.safeParse(state)
  return status.success
    ? { ...rest, status: status.data }
    : { ...rest, reason: EndReason.parse(state) }
}
