import 'server-only'
import { isSent } from '@/lib/engines/runtime/ask/fall-back'
import { newId } from '@/lib/kernel/new-id'
import { addCost, emptyUsage, isCostAtMost } from '@/lib/protocol/cost/cost'
import type { FailedCall } from '@/lib/protocol/model/failed-call'
import type { FailureCategory } from '@/lib/protocol/model/failure'
import type { RunEvent, RunEventOf } from '@/lib/protocol/run/run-event'
import { type RunSnapshot, triedModel } from '@/lib/protocol/run/run-snapshot'

export type RunFacts = { runId: string; userId: string; snapshot: RunSnapshot }

/** Amounts that are added to the run's row. `costMicroUsd` null: a price is unknown, so the sum stays unknown. */
type Totals = {
  lastSeq: number
  rounds: number
  calls: number
  inputTokens: number
  outputTokens: number
  costMicroUsd: number | null
  /** True when calls wait for a person from now on. */
  waits: boolean
}

type Ending = {
  endReason: string
  truncated: boolean
  notStarted: boolean
  endedAt: number
  durationMs: number
}

/** Changes of a run for lists and usage, written with the events that cause them (SPEC M5). */
export type RunChanges = {
  totals: Totals
  ending: Ending | null
  usage: object[]
  /** True when one of these requests has reservations: they are settled with its usage record (SPEC M2). */
  settles: boolean
  /** Calls that wait for approval: rows of `approvals`. */
  requests: object[]
}

/** Returns what a batch of events changes beside the journal; null when nothing. */
export function runChanges(facts: RunFacts, events: RunEvent[]): RunChanges | null {
  if (!events.some(changesRun)) return null
  const messages = events.filter((event) => event.type === 'message')
  const counted = countedCalls(events)
  const end = events.find((event) => event.type === 'run-end')
  const requests = events.filter((event) => event.type === 'approval-request')
  return {
    totals: {
      ...totalsOf(messages, counted, events.at(-1)?.seq ?? 0),
      waits: requests.length > 0,
    },
    ending: end ? endingOf(end.data, end.at) : null,
    usage: counted.map((call) => countedRecord(facts, call)),
    settles: counted.some(({ used }) => used.reservationId !== undefined),
    // A run that ends in the batch with its request does not wait.
    requests: requests.map(({ data, at }) => approvalRow(data, at, end ? 'void' : 'pending')),
  }
}

const changing: ReadonlySet<RunEvent['type']> = new Set([
  'round-start',
  'model-fallback',
  'request-lost',
  'message',
  'approval-request',
  'approval-decision',
  'run-end',
])

/** Returns whether an event changes the row of its run. */
export function changesRun(event: RunEvent): boolean {
  if (event.type === 'model-retry') return event.data.failedCall !== undefined
  return changing.has(event.type)
}

function totalsOf(
  messages: { data: RunEventOf<'message'>['data'] }[],
  counted: CountedCall[],
  lastSeq: number,
): Omit<Totals, 'waits'> {
  const totals: Omit<Totals, 'waits'> = {
    lastSeq,
    rounds: 0,
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    costMicroUsd: 0,
  }
  for (const { data } of messages) {
    totals.rounds = Math.max(totals.rounds, data.round)
    totals.calls += data.toolCalls.length
  }
  for (const { used } of counted) {
    totals.inputTokens += used.usage.inputTokens
    totals.outputTokens += used.usage.outputTokens
    totals.costMicroUsd = addCost(totals.costMicroUsd, used.costMicroUsd)
  }
  return totals
}

function endingOf(end: RunEventOf<'run-end'>['data'], at: number): Ending {
  return {
    endReason: end.reason,
    truncated: end.truncated,
    notStarted: end.notStarted ?? false,
    endedAt: at,
    durationMs: Math.round(end.wallTimeMs),
  }
}

function approvalRow(
  request: RunEventOf<'approval-request'>['data'],
  at: number,
  status: 'pending' | 'void',
): object {
  const { approvalId, name, ...facts } = request
  return { ...facts, id: approvalId, toolName: name, requestedAt: at, status }
}

/** Returns a row of `call_records` for each call that ended. */
export function callRecords({ userId, snapshot }: RunFacts, events: RunEvent[]): object[] {
  const { configurationId } = snapshot
  return events.flatMap((event) => {
    if (event.type !== 'call-end') return []
    const { callId, name: toolName, outcome, durationMs } = event.data
    const gate = outcome.type === 'denied' ? outcome.gate : null
    const facts = { callId, toolName, userId, configurationId, outcome: outcome.type, gate }
    return [{ ...facts, durationMs: Math.round(durationMs) }]
  })
}

/** Returns a row for each rule that only observes and matched a call that ended. */
export function observedRules(events: RunEvent[]): { ruleId: string }[] {
  return events.flatMap((event) =>
    event.type === 'call-end' ? (event.data.observed ?? []).map((ruleId) => ({ ruleId })) : [],
  )
}

type Used = NonNullable<FailedCall['used']>
/** `retried`: another record follows for the next try. */
type CountedCall = {
  call: FailedCall
  used: Used
  errorCategory: FailureCategory | null
  retried?: boolean
}

/** Returns the requests that count: answered, lost or failed. A request that was never sent does not. */
function countedCalls(events: RunEvent[]): CountedCall[] {
  return events.flatMap((event): CountedCall[] => {
    switch (event.type) {
      case 'message':
        return [
          { call: event.data, used: event.data, errorCategory: event.data.errorCategory ?? null },
        ]
      case 'request-lost':
        return [{ call: event.data, used: event.data, errorCategory: 'cancelled' }]
      case 'model-retry':
      case 'model-fallback':
      case 'run-end': {
        const { failedCall: call, failure } = event.data
        if (!call || !failure || !isSent(failure)) return []
        const retried = event.type === 'model-retry'
        return [{ call, used: call.used ?? nothing, errorCategory: failure.category, retried }]
      }
      default:
        return []
    }
  })
}

/** Usage of a request without any known tokens; it still counts as a request (SPEC M5). */
const nothing: Used = { usage: emptyUsage, costMicroUsd: 0 }

function countedRecord(
  facts: RunFacts,
  { call, used, errorCategory, retried = false }: CountedCall,
): object {
  const target = facts.snapshot.targets[call.target]
  return {
    ...usageRecord(facts, call),
    id: used.reservationId ?? newId(),
    ...used.usage,
    costMicroUsd: used.costMicroUsd,
    unpricedTier: target?.unpricedTier !== undefined || target?.unpricedField !== undefined,
    costAtMost:
      used.costMicroUsd !== null && target !== undefined && isCostAtMost(used.usage, target.prices),
    retried,
    errorCategory,
  }
}

function usageRecord(facts: RunFacts, call: Omit<FailedCall, 'used'>): object {
  const { isTry = false, targets } = facts.snapshot
  const target = isTry ? undefined : targets[call.target]
  return {
    userId: facts.userId,
    configurationId: facts.snapshot.configurationId,
    connectionId: target?.connectionId ?? null,
    modelRecordId: target?.modelRecordId ?? null,
    modelId: isTry ? triedModel : (target?.modelId ?? 'unknown'),
    round: call.round,
    latencyMs: Math.round(call.latencyMs),
    retries: call.retries,
    fallback: call.target > 0,
  }
}
