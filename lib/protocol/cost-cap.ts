import type { CostCap } from './cost-cap-choices'
import type { RunState } from './fold-run'
import { formatCostMicroUsd } from './format'

type Watched = Pick<RunState, 'start' | 'costMicroUsd' | 'costCapDecision'>

/** The caps that the run has reached, the lowest first. A cost that is not known has reached them all. */
export function reachedCaps({ start, costMicroUsd }: Watched): CostCap[] {
  const caps = start?.snapshot.costCaps ?? []
  return caps
    .filter(({ limitMicroUsd }) => costMicroUsd === null || costMicroUsd >= limitMicroUsd)
    .sort((a, b) => a.limitMicroUsd - b.limitMicroUsd)
}

/** Whether a cap ends this run once it is reached: by its own mode, or by what somebody chose for the rest of the run. */
export function isEnforcing(state: Watched): boolean {
  const caps = state.start?.snapshot.costCaps ?? []
  return caps.some((cap) => enforces(cap, state))
}

/** Whether the run may make no further request but its closing one (SPEC M4). */
export function isCapped(state: Watched): boolean {
  return reachedCaps(state).some((cap) => enforces(cap, state))
}

function enforces({ mode }: CostCap, { costCapDecision }: Watched): boolean {
  return (costCapDecision?.choice ?? mode) === 'enforce'
}

export function cappedSentence(state: Watched): string {
  const reached = reachedWords(state)
  return `${reached.charAt(0).toUpperCase()}${reached.slice(1)}; the final answer was written without tools.`
}

/** "the run cost $0.52 and reached the cap of $0.50 that its configuration sets" */
export function reachedWords(state: Watched): string {
  const cap = reachedCaps(state).find((each) => enforces(each, state))
  if (!cap) return 'the cost cap was reached'
  if (state.costMicroUsd === null) {
    return `the cost of this run is unknown, so ${capWords(cap)} cannot be checked`
  }
  return `the run cost ${formatCostMicroUsd(state.costMicroUsd)} and reached ${capWords(cap)}`
}

/** "the cap of $0.50 that its configuration sets" */
export function capWords({ scope, limitMicroUsd }: CostCap): string {
  const by = scope === 'run' ? 'it was started with' : `its ${scope} sets`
  return `the cap of ${formatCostMicroUsd(limitMicroUsd)} that ${by}`
}
