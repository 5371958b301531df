import { capWords, costUnder, isCapped, reachedCaps } from '@/lib/protocol/cost-cap'
import type { RunState } from '@/lib/protocol/fold-run'
import { type RunStep, startOf, warn, warnOnce } from './run-step'

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
  const { costBefore: _, ...start } = startOf(state)
  if (before === null || start.snapshot.costCaps.length === 0) return
  if (state.costMicroUsd !== null) {
    const known = hasCapWarning(state) ? state : { ...state, start }
    warnOfReached(step, round, { ...known, costMicroUsd: before })
  } else if (state.costCapDecision?.choice !== 'ignore') {
    warn(step, { round, code: 'cost-cap', message: unmeasured('this model', state) })
  }
}

/** Records one warning for each cap that is reached now and was not `before`. */
export function warnOfReached(step: RunStep, round: number, before: RunState): void {
  const state = step.state()
  if (state.costCapDecision?.choice === 'ignore') return
  const known = new Set(reachedCaps(before))
  for (const cap of reachedCaps(state).filter((each) => !known.has(each))) {
    const spent = costUnder(cap, state)
    const [who, other] =
      cap.scope === 'panel' ? ['panel', 'another member'] : ['run', 'a turn before']
    const message =
      spent === null
        ? unmeasured(other, state)
        : `The ${who} has cost ${spent} and reached ${capWords(cap)}. ${follows(state)}`
    warnOnce(step, { round, code: 'cost-cap', message })
  }
}

function unmeasured(whose: string, state: RunState): string {
  return `The cost cannot be measured, because a price of ${whose} is unknown. ${follows(state)}`
}

function hasCapWarning({ rounds }: RunState): boolean {
  return rounds.some(({ notes }) =>
    notes.some(({ type, data }) => type === 'warning' && data.code === 'cost-cap'),
  )
}

function follows(state: RunState): string {
  return isCapped(state)
    ? 'The tool calls of this round are not run. The run stops with a final answer without tools.'
    : 'The run continues.'
}
