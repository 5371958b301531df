import { z } from 'zod'
import { lenientQuery } from '@/lib/lenient-query'
import { EndReason } from '@/lib/protocol/run-event'
import { RunFilter } from '@/lib/runs/schemas'

type Params = Record<string, string | string[] | undefined>

const statuses = ['queued', 'running', 'waiting'] as const
const Status = z.enum(statuses)

/** What the address of the list may say; how a run stands and how it ended are one question to the reader. */
const Query = RunFilter.omit({ status: true, reason: true }).extend({
  state: z.enum([...statuses, ...EndReason.options]).optional(),
})

/** From the page's address; what makes no sense there counts as not given. */
export function readRunQuery(params: Params): z.output<typeof Query> {
  return lenientQuery(Query, params)
}

/** The same as the list asks for it. */
export function toRunFilter({ state, ...rest }: z.output<typeof Query>): RunFilter {
  if (state === undefined) return rest
  const status = Status.safeParse(state)
  return status.success
    ? { ...rest, status: status.data }
    : { ...rest, reason: EndReason.parse(state) }
}
