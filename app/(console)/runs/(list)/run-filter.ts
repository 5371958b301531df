import { RunFilter, RunSource } from '@toolgate/server/runs/schemas'
import { z } from 'zod'
import type { FilterField } from '@/components/forms/address-filter'
import { outcomeWords } from '@/components/trace/call-words'
import { endWords } from '@/components/trace/end-words'
import type { SelectOption } from '@/components/ui/select'
import { gateTitle } from '@/lib/protocol/gate-answers'
import { CallOutcome, recordedAs } from '@/lib/protocol/run/call-facts'
import { EndReason } from '@/lib/protocol/run/run-event'
import { GateName } from '@/lib/protocol/tool'
import { rowsPerPage } from '@/lib/shape/resource'
import { visibleText } from '@/lib/words/clean-text'
import { sourceWords } from './source-words'

const statuses = ['queued', 'running', 'waiting', 'ended'] as const
const Status = z.enum(statuses)

/** The filter in the address of the list. Status and end reason are one field, because people ask for either. */
export const RunQuery = RunFilter.omit({ status: true, reason: true }).extend({
  state: z.enum([...statuses, ...EndReason.options]).optional(),
  pageSize: RunFilter.shape.pageSize.default(rowsPerPage),
})

/** Returns the filter as `listRuns` takes it. */
export function toRunFilter({ state, ...rest }: z.output<typeof RunQuery>): RunFilter {
  if (state === undefined) return rest
  const status = Status.safeParse(state)
  return status.success
    ? { ...rest, status: status.data }
    : { ...rest, reason: EndReason.parse(state) }
}

/** Returns a filter as the address of the list has it, without page and order. */
export function toAddress({
  page: _page,
  pageSize: _size,
  cursor: _cursor,
  sort: _sort,
  status,
  reason,
  ...values
}: Partial<RunFilter>): Record<string, string | undefined> {
  const said = Object.entries({ ...values, state: reason ?? status })
  return Object.fromEntries(
    said.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

const states = [
  { value: 'queued', label: 'Waiting for a place' },
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Waiting for approval' },
  { value: 'ended', label: 'Ended' },
  ...EndReason.options.map((reason) => ({ value: reason, label: endWords(reason).word })),
]

const periods = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: 'this-month', label: 'This month' },
]

const sources = RunSource.options.map((source) => ({ value: source, label: sourceWords[source] }))

export type Named = { id: string; name: string }

/** Returns the fields that stand in the line above the list. Days begin at midnight in `zone`. */
export function runFields(zone: string): FilterField[] {
  return [
    { type: 'search', name: 'search', label: 'Search runs' },
    { type: 'presses', name: 'period', label: `Started, in days of ${zone}`, options: periods },
    {
      type: 'presses',
      name: 'failure',
      label: 'Failures',
      options: [{ value: 'any', label: 'Any failure' }],
    },
    choice('state', 'State', 'Any state', states),
  ]
}

/** Returns the fields that everybody has behind the button. */
export function moreRunFields({
  configurations,
  tasks,
  tools,
  tags,
}: {
  configurations: readonly Named[]
  tasks: readonly Named[]
  tools: readonly string[]
  tags: readonly string[]
}): FilterField[] {
  const outcomes = CallOutcome.options.map((outcome) => ({
    value: outcome,
    label: outcomeWords(recordedAs[outcome][0]).word,
  }))
  const gates = GateName.options.map((gate) => ({ value: gate, label: gateTitle({ gate }) }))
  return [
    { type: 'figure', name: 'minCost', label: 'Cost from', unit: '$' },
    { type: 'figure', name: 'maxCost', label: 'Cost to', unit: '$' },
    { type: 'figure', name: 'minSeconds', label: 'Duration from', unit: 's' },
    { type: 'figure', name: 'maxSeconds', label: 'Duration to', unit: 's' },
    { type: 'moment', name: 'from', label: 'From' },
    { type: 'moment', name: 'to', label: 'Until' },
    choice('configuration', 'Configuration', 'All configurations', named(configurations)),
    ...(tasks.length > 0 ? [choice('task', 'Task', 'Any task', named(tasks))] : []),
    choice(
      'tool',
      'Tool',
      'Any tool',
      tools.map((tool) => ({ value: tool, label: tool })),
    ),
    choice('outcome', 'Call outcome', 'Any outcome', outcomes),
    choice('gate', 'Refusing gate', 'Any gate', gates),
    choice('source', 'Origin', 'Any origin', sources),
    choice(
      'tag',
      'Tag',
      'Any tag',
      tags.map((tag) => ({ value: tag, label: visibleText(tag) })),
    ),
  ]
}

export function choice(
  name: string,
  label: string,
  any: string,
  options: readonly SelectOption[],
): FilterField {
  return { type: 'choice', name, label, any, options }
}

/** Returns the options that name these objects. */
export function named(all: readonly Named[]): SelectOption[] {
  return all.map(({ id, name }) => ({ value: id, label: name }))
}
