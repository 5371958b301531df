import { boundedCost } from '@/lib/protocol/cost'
import {
  capWords,
  conversationWords,
  isCapped,
  spentBound,
  spentMicroUsd,
} from '@/lib/protocol/cost-caps'
import type { RunState } from '@/lib/protocol/fold-run'
import type { CostCap } from '@/lib/protocol/money'
import { type RunStep, startOf, warn } from './run-step'

/**
 * Records one warning for each cap that this answer reached, and one when the cost is unknown because of an unknown
 * price (SPEC M4). `before` is the cost of the run until then, micro-USD. The first warning of a run also tells of the caps that
 * the turns before it had reached.
 */
export function warnOfCostCaps(
  step: RunStep,
  { round, before }: { round: number; before: number | null },
): void {
  const state = step.state()
  const caps = startOf(state).snapshot.costCaps
  if (caps.length === 0 || state.costCapDecision?.choice === 'ignore') return
  const told = hasCapWarning(state) ? spentMicroUsd({ ...state, costMicroUsd: before }) : 0
  const cost = spentMicroUsd(state)
  if (told === null) return
  const follows = isCapped(state)
    ? 'The tool calls of this round are not run. The run stops with a final answer without tools.'
    : 'The run continues.'
  const warnOf = (message: string) => warn(step, { round, code: 'cost-cap', message })
  if (cost === null) {
    const unpriced = state.costMicroUsd === null ? 'this model' : 'a turn before'
    warnOf(`The cost cannot be measured, because a price of ${unpriced} is unknown. ${follows}`)
    return
  }
  const spent = boundedCost(cost, spentBound(state)) + conversationWords(state)
  const reached = ({ limitMicroUsd }: CostCap) => told < limitMicroUsd && cost >= limitMicroUsd
  for (const cap of caps.filter(reached)) {
    warnOf(`The run has cost ${spent} and reached ${capWords(cap)}. ${follows}`)
  }
}

function hasCapWarning({ rounds }: RunState): boolean {
  return rounds.some(({ notes }) =>
    notes.some(({ type, data }) => type === 'warning' && data.code === 'cost-cap'),
  )
}
