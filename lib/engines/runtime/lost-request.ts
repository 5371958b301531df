import { costMicroUsd } from '@/lib/protocol/cost'
import type { RunState } from '@/lib/protocol/fold-run'
import type { RoundView } from '@/lib/protocol/round-view'
import type { FailedCall, RunEventOf } from '@/lib/protocol/run-event'
import { emptyUsage } from '@/lib/protocol/usage'
import { warnOfCostCaps } from './cost-cap-warnings'
import { type RunStep, startOf } from './run-step'
import { sentParameters } from './sent-parameters'
import { usageOf } from './usage-of'

type LostRequest = RunEventOf<'request-lost'>

/**
 * Returns the unfinished request of a run; null = there is none. Its provider may charge it, so it counts as what was
 * sent and what was shown of its answer. A request that failed before its next try started used nothing.
 */
export function lostRequest(state: RunState): LostRequest | null {
  const round = state.rounds.at(-1)
  const target = round && state.start?.snapshot.targets[round.target]
  if (!round?.asked || !target) return null
  const { reservationId, attempt } = round.asked
  const { snapshot } = startOf(state)
  const sent = {
    target,
    parameters: sentParameters(target, snapshot.parameters),
    contextTokens: round.contextTokens,
    worst: round.worst ?? null,
  }
  const usage = hasFailed(round, attempt) ? emptyUsage : usageOf(shownOf(round), sent)
  return {
    type: 'request-lost',
    data: {
      round: round.round,
      target: round.target,
      latencyMs: 0,
      retries: uncountedTries(round, attempt),
      usage,
      costMicroUsd: costMicroUsd(usage, target.prices),
      ...(reservationId !== null && { reservationId }),
    },
  }
}

/**
 * Records an unfinished request at the start of a step: then it is from a former process (SPEC J4, M5). It may have
 * passed a cost cap, also when the process that found it recorded it.
 */
export async function recordLostRequest(step: RunStep): Promise<void> {
  const lost = lostRequest(step.state())
  if (lost) step.record(lost)
  const state = step.state()
  const note = state.rounds.at(-1)?.notes.at(-1)
  if (note?.type !== 'lost' || state.rounds.at(-1)?.response) return
  const { round, costMicroUsd } = note.data
  warnOfCostCaps(step, { round, before: without(state.costMicroUsd, costMicroUsd) })
  // Budgets settle with this event, before the next request asks them.
  await step.deps.journal.flush()
}

/** Returns the cost of the run before; null = unknown. */
function without(cost: number | null, lost: number | null): number | null {
  return cost === null || lost === null ? null : cost - lost
}

/** Records a request that failed while the step was stopped. */
export function recordFailedTry(step: RunStep, { used, ...call }: FailedCall): void {
  const nothing = { usage: emptyUsage, costMicroUsd: 0 }
  step.record({ type: 'request-lost', data: { ...call, ...nothing, ...used } })
}

/** Returns earlier tries without a record of their own, which only old journals have. */
function uncountedTries({ notes, startedAt }: RoundView, attempt: number): number {
  return notes.filter(
    (note) =>
      note.type === 'retry' &&
      note.at >= startedAt &&
      note.data.attempt < attempt &&
      !note.data.failedCall,
  ).length
}

function hasFailed({ notes, startedAt }: RoundView, attempt: number): boolean {
  return notes.some(
    (note) => note.type === 'retry' && note.at >= startedAt && note.data.attempt === attempt,
  )
}

/** Returns what the journal has of the answer. */
function shownOf({ text, reasoningText, drafts }: RoundView): Parameters<typeof usageOf>[0] {
  return {
    draftText: drafts.map((draft) => draft.name + draft.argumentsText).join(''),
    finish: {
      type: 'finish',
      finishReason: 'cut',
      text,
      reasoning: reasoningText ? [{ text: reasoningText, signature: null, redacted: false }] : [],
      toolCalls: [],
      usage: null,
    },
  }
}
