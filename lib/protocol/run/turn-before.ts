import type { RunState } from './fold-run'
import type { EndReason } from './run-event'

/** A turn before a run in its conversation, as the page of the run shows it. Costs in micro-USD; null = unpriced. */
export type TurnBefore = {
  runId: string
  prompt: string
  /** Null = it ended without one. */
  answer: string | null
  reason: EndReason
  rounds: number
  calls: number
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  costMicroUsd: number | null
}

/** Returns what is shown of a turn that ended. */
export function turnBefore(
  runId: string,
  { start, rounds, usage, costMicroUsd, end }: RunState,
): TurnBefore {
  const last = rounds.at(-1)
  return {
    runId,
    prompt: start?.prompt ?? '',
    answer: last?.response && last.calls.length === 0 && last.text !== '' ? last.text : null,
    reason: end?.reason ?? 'internal-error',
    rounds: rounds.length,
    calls: rounds.reduce((sum, { calls }) => sum + calls.length, 0),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedInputTokens: usage.cachedInputTokens,
    costMicroUsd,
  }
}
