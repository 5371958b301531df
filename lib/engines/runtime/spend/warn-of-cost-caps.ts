import { type RunStep, startOf, warn } from '@/lib/engines/runtime/run-step'
import { boundedCost } from '@/lib/protocol/cost/cost'
import {
  alsoWords,
  capWords,
  costOwner,
  decisionOn,
  isCapped,
  reachedCaps,
  spentBound,
  spentMicroUsd,
  spentUnder,
} from '@/lib/protocol/cost/cost-caps'
import type { CostCap } from '@/lib/protocol/cost/money'
import type { RunState } from '@/lib/protocol/run/fold-run'

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
  if (startOf(state).snapshot.costCaps.length === 0) return
  const known = { ...state, costMicroUsd: before }
  const warnedBefore = hasCapWarning(state) ? known : null
  if (warnedBefore && spentMicroUsd(warnedBefore) === null) return
  if (spentMicroUsd(state) !== null) {
    warnOfReached(step, round, warnedBefore)
  } else if (reachedCaps(state).some((cap) => !isIgnored(cap, state))) {
    const unpriced = state.costMicroUsd === null ? 'this model' : 'a turn before'
    const message = `The cost cannot be measured, because a price of ${unpriced} is unknown. ${follows(state)}`
    warn(step, { round, code: 'cost-cap', message })
  }
}

/** Records one warning for each cap that is reached now and was not `before`; null = no cap was told of before. */
export function warnOfReached(step: RunStep, round: number, before: RunState | null): void {
  const state = step.state()
  const known = new Set(before ? reachedCaps(before) : [])
  for (const cap of reachedCaps(state)) {
    if (known.has(cap) || isIgnored(cap, state)) continue
    const bound = costOwner(cap) === 'panel' ? 'exact' : spentBound(state)
    const spent = boundedCost(spentUnder(cap, state), bound) + alsoWords(cap, state)
    const message = `The ${costOwner(cap)} has cost ${spent} and reached ${capWords(cap)}. ${follows(state)}`
    warn(step, { round, code: 'cost-cap', message })
  }
}

function isIgnored(cap: CostCap, state: RunState): boolean {
  return decisionOn(cap, state)?.choice === 'ignore'
}

function follows(state: RunState): string {
  return isCapped(state)
    ? 'The tool calls of this round are not run. The run stops with a final answer without tools.'
    : 'The run continues.'
}

function hasCapWarning({ rounds }: RunState): boolean {
  return rounds.some(({ notes }) =>
    notes.some(({ type, data }) => type === 'warning' && data.code === 'cost-cap'),
  )
}
