import type { Journal, JournalLostError, StartType } from '@/lib/engines/runtime/deps'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import type { Tx } from '@/lib/kernel/db'
import type { RunEvent, RunEventBody, RunEventOf } from '@/lib/protocol/run/run-event'
import type { Verdict } from '@/lib/protocol/tool'
import { takeStart } from '@/lib/toolset/policy/tool-rates'
import type { JournalWriter } from './journal-writer'
import type { Written } from './write-entries'

/** A call or a model request that wants to begin. */
export type RequestedStart = {
  start: RunEventOf<StartType>
  decide: Parameters<Journal['begin']>[1]
  resolve: (begun: Awaited<ReturnType<Journal['begin']>>) => void
  reject: (error: unknown) => void
}

/**
 * Results of starts: `begun` are among the `events` that were written, `again` must be decided again. `isStale`: the
 * policy changed, so nothing was written.
 */
export type Decided = {
  version: string
  begun: Map<RunEvent, RequestedStart>
  denied: { requested: RequestedStart; verdict: Verdict }[]
  again: RequestedStart[]
  events: readonly RunEvent[]
  isStale: boolean
}

/** The events of a run that are not written yet, as what begins needs them. */
export type EventQueue = {
  /** After a failure of the journal, nothing is written any more. */
  readonly isLost: boolean
  /** Gives an event its number and time. */
  place: (body: RunEventBody) => RunEvent
  /** Takes back starts that were not written. The events after them move up, so that no number is missing. */
  withdraw: (starts: ReadonlySet<RunEvent>) => void
  /** Runs `work` after all earlier work. After a failure of the journal, rejects with it and runs nothing more. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** Notes the failure after which the journal is lost, and returns the first one. */
  lose: (cause: unknown) => JournalLostError
  /** Writes the queue, and puts it back when a start in it was decided by another version of the policy. */
  write: (
    policyVersion: string | null,
    write?: JournalWriter['write'],
  ) => Promise<{ written: Written; events: readonly RunEvent[] }>
  /** Tells watchers of events that are stored. */
  publish: (events: readonly RunEvent[]) => void
  /** Writes and publishes the queue at once, in the turn of the caller. */
  flushNow: () => Promise<void>
}

/** Takes back what a transaction counted, whose starts were not written. */
export class StaleStartError extends Error {}

/** Returns whether one of these is a call of a tool with a limit, which is counted in the transaction that writes it. */
export function needsCount(open: readonly RequestedStart[], subject: Subject): boolean {
  return open.some(({ start }) => subject.rates.has(toolOf(start)))
}

/** Returns starts so that every process counts those of several tools in one order, and two never wait for each other. */
export function inOrderOfTools(open: readonly RequestedStart[]): RequestedStart[] {
  return open.toSorted((a, b) => {
    const [one, other] = [toolOf(a.start), toolOf(b.start)]
    return one === other ? 0 : one < other ? -1 : 1
  })
}

/**
 * Returns what the gates say about a start, and then the limit of its tool. `tx`: the transaction that writes it; null = none
 * of these tools has a limit. `begun`: those that go with it.
 */
export async function verdictOn(
  { start, decide }: RequestedStart,
  subject: Subject,
  { tx, runId, begun }: { tx: Tx | null; runId: string } & Pick<Decided, 'begun'>,
): Promise<Verdict> {
  const verdict = decide(subject)
  const toolName = toolOf(start)
  const rate = subject.rates.get(toolName)
  if (!verdict.allowed || !rate) return verdict
  if (!tx) throw new Error('A call of a tool with a limit is counted in a transaction.')
  const before = [...begun.values()].filter((other) => toolOf(other.start) === toolName)
  return (await takeStart(tx, { toolName, runId, begun: before.length }, rate)) ?? verdict
}

/** Returns the tool of a call; "" = a model request begins, which no limit of a tool counts. */
function toolOf(start: RequestedStart['start']): string {
  return start.type === 'call-start' ? start.data.name : ''
}
