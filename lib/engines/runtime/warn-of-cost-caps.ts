import { boundedCost, runCostBound } from '@/lib/protocol/cost'
import { capWords, isCapped, reachedCaps, spentUnder } from '@/lib/protocol/cost-cap'
import type { RunState } from '@/lib/protocol/fold-run'
import { type RunStep, startOf, warn } from './run-step'

/**
 * Records one warning for each cap that this answer reached, and one when the cost is unknown because of an unknown
 * price (SPEC M4). `before` is the cost of the run until then, micro-USD.
 */
export function warnOfCostCaps(
  step: RunStep,
  { round, before }: { round: number; before: number | null },
): void {
  const state = step.state()
  if (before === null || startOf(state).snapshot.costCaps.length === 0) return
  if (state.costMicroUsd !== null) {
    warnOfReached(step, round, { ...state, costMicroUsd: before })
  } else if (state.costCapDecision?.choice !== 'ignore') {
    const message = `The cost cannot be measured, because a price of this model is unknown. ${follows(state)}`
    warn(step, { round, code: 'cost-cap', message })
  }
}

/** Records one warning for each cap that is reached now and was not `before`. */
export function warnOfReached(step: RunStep, round: number, before: RunState): void {
  const state = step.state()
  if (state.costCapDecision?.choice === 'ignore') return
  const known = new Set(reachedCaps(before))
  for (const cap of reachedCaps(state).filter((each) => !known.has(each))) {
    const isPanel = cap.scope === 'panel'
    const spent = boundedCost(spentUnder(cap, state), isPanel ? 'exact' : runCostBound(state))
    const message = `The ${isPanel ? 'panel' : 'run'} has cost ${spent} and reached ${capWords(cap)}. ${follows(state)}`
    warn(step, { round, code: 'cost-cap', message })
  }
}

function follows(state: RunState): string {
  return isCapped(state)
    ? 'The tool calls of this round are not run. The run stops with a final answer without tools.'
    : 'The run continues.'
}
