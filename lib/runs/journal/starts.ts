import type { Journal, StartType } from '@/lib/engines/runtime/deps'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import type { Tx } from '@/lib/kernel/db'
import type { RunEvent, RunEventOf } from '@/lib/protocol/run/run-event'
import type { Verdict } from '@/lib/protocol/tool'
import { takeStart } from '@/lib/toolset/policy/tool-rates'

/** A call or a model request that wants to begin. */
export type RequestedStart = {
  start: RunEventOf<StartType>
  decide: Parameters<Journal['begin']>[1]
  resolve: (begun: Awaited<ReturnType<Journal['begin']>>) => void
  reject: (error: unknown) => void
}

/**
 * What became of starts: `begun` are among the `events` that were written, `again` must be decided again. `isStale` = the
 * policy changed, so that nothing was written.
 */
export type Decided = {
  version: string
  begun: Map<RunEvent, RequestedStart>
  denied: { requested: RequestedStart; verdict: Verdict }[]
  again: RequestedStart[]
  events: readonly RunEvent[]
  isStale: boolean
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
