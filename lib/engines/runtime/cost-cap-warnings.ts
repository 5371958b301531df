import { boundedCost, runCostBound } from '@/lib/protocol/cost-bound'
import { capWords, isCapped } from '@/lib/protocol/cost-cap'
import type { CostCap } from '@/lib/protocol/cost-cap-choices'
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
  const caps = startOf(state).snapshot.costCaps
  const { costMicroUsd: cost, costCapDecision } = state
  if (caps.length === 0 || before === null || costCapDecision?.choice === 'ignore') return
  const follows = isCapped(state)
    ? 'The tool calls of this round are not run. The run stops with a final answer without tools.'
    : 'The run continues.'
  const warnOf = (message: string) => warn(step, { round, code: 'cost-cap', message })
  if (cost === null) {
    warnOf(`The cost cannot be measured, because a price of this model is unknown. ${follows}`)
    return
  }
  const spent = boundedCost(cost, runCostBound(state))
  const reached = ({ limitMicroUsd }: CostCap) => before < limitMicroUsd && cost >= limitMicroUsd
  for (const cap of caps.filter(reached)) {
    warnOf(`The run has cost ${spent} and reached ${capWords(cap)}. ${follows}`)
  }
}
