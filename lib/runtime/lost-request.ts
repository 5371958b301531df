import { costMicroUsd } from '@/lib/protocol/cost'
import type { RunState } from '@/lib/protocol/fold-run'
import type { RoundView } from '@/lib/protocol/round-view'
import type { FailedCall, RunEventOf } from '@/lib/protocol/run-event'
import { emptyUsage, type Usage } from '@/lib/protocol/usage'
import { estimateTokens } from './context-window'
import { warnOfCostCaps } from './cost-cap-warnings'
import { type RunStep, record, settle } from './run-step'

type LostRequest = RunEventOf<'request-lost'>

/**
 * The request that was under way when a run was last written down, to whoever goes on with it; null = none was. Its
 * provider may charge it, so it counts as what it was sent and what was shown of its answer.
 */
export function lostRequest(state: RunState): LostRequest | null {
  const round = state.rounds.at(-1)
  const target = round && state.start?.snapshot.targets[round.target]
  if (!round?.asked || !target) return null
  const usage = estimatedUsage(round)
  const { reservationId } = round.asked
  return {
    type: 'request-lost',
    data: {
      round: round.round,
      target: round.target,
      latencyMs: 0,
      retries: round.notes.filter(({ type }) => type === 'retry').length,
      usage,
      costMicroUsd: costMicroUsd(usage, target.prices),
      ...(reservationId !== null && { reservationId }),
    },
  }
}

/** Before anything else of a step: a request that is still under way then was another life's (SPEC J4, M5). */
export async function recordLostRequest(step: RunStep): Promise<void> {
  const state = settle(step)
  const lost = lostRequest(state)
  if (!lost) return
  record(step, lost)
  warnOfCostCaps(step, { round: lost.data.round, before: state.costMicroUsd })
  // Budgets settle with it, and the next request asks them.
  await step.deps.journal.flush()
}

/** A request that failed, and was not tried again because the step was stopped: it used nothing. */
export function recordFruitless(step: RunStep, call: FailedCall): void {
  record(step, { type: 'request-lost', data: { ...call, usage: emptyUsage, costMicroUsd: 0 } })
}

function estimatedUsage({ contextTokens, text, reasoningText, drafts }: RoundView): Usage {
  const written = [text, reasoningText, ...drafts.map((draft) => draft.name + draft.argumentsText)]
  return {
    ...emptyUsage,
    inputTokens: contextTokens,
    outputTokens: written.reduce((sum, part) => sum + estimateTokens(part), 0),
    estimated: true,
  }
}
