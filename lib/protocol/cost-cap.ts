import { addCost } from './cost'
import { formatCostMicroUsd } from './format'
import type { CostCap, CostCapChoice } from './money'
import type { RunEventOf } from './run-event'
import type { Role } from './tool'

/**
 * Returns the choices of this role about a run's cost caps. What an admin decided, by configuration or task or as
 * `byAdmin` (the last choice about this run), a member may make stricter and never looser (SPEC G-X).
 */
export function costCapChoices(
  caps: readonly CostCap[],
  role: Role,
  byAdmin: CostCapChoice | null = null,
): CostCapChoice[] {
  const all: CostCapChoice[] = ['enforce', 'warn', 'ignore']
  if (role === 'admin') return all
  const enforcedByAdmin = caps.some(
    ({ scope, mode }) => (scope === 'configuration' || scope === 'task') && mode === 'enforce',
  )
  const loosest = byAdmin ?? (enforcedByAdmin ? 'enforce' : 'ignore')
  return all.slice(0, all.indexOf(loosest) + 1)
}

/** What the state of a run knows of its cost. */
type Watched = {
  start: RunEventOf<'run-start'>['data'] | null
  costMicroUsd: number | null
  othersMicroUsd: number | null
  costCapDecision: RunEventOf<'cost-cap-decision'>['data'] | null
}

/** Returns the caps that the run has reached, the lowest first. An unknown cost has reached all of them. */
export function reachedCaps(state: Watched): CostCap[] {
  const caps = state.start?.snapshot.costCaps ?? []
  return caps
    .filter((cap) => isReached(cap, state))
    .sort((a, b) => a.limitMicroUsd - b.limitMicroUsd)
}

type Spent = Pick<Watched, 'costMicroUsd' | 'othersMicroUsd'>

function isReached(cap: CostCap, state: Spent): boolean {
  const spent = spentUnder(cap, state)
  return spent === null || spent >= cap.limitMicroUsd
}

/** Returns what counts against a cap: the cost of the run, or of its whole panel; null = unknown. */
export function spentUnder({ scope }: CostCap, { costMicroUsd, othersMicroUsd }: Spent) {
  return scope === 'panel' ? addCost(costMicroUsd, othersMicroUsd) : costMicroUsd
}

/** Returns whether a cap ends this run when it is reached: by its own mode, or by a choice for the rest of the run. */
export function isEnforcing(state: Watched): boolean {
  const caps = state.start?.snapshot.costCaps ?? []
  return caps.some((cap) => enforces(cap, state))
}

/** Returns whether the run may make only its closing request (SPEC M4). */
export function isCapped(state: Watched): boolean {
  return enforcedCap(state) !== undefined
}

/** Returns the lowest cap that was reached and ends the run; undefined = none does. */
export function enforcedCap(state: Watched): CostCap | undefined {
  return reachedCaps(state).find((cap) => enforces(cap, state))
}

function enforces({ mode }: CostCap, { costCapDecision }: Watched): boolean {
  return (costCapDecision?.choice ?? mode) === 'enforce'
}

export function cappedSentence(state: Watched): string {
  const reached = reachedWords(state)
  return `${reached.charAt(0).toUpperCase()}${reached.slice(1)}; the final answer was written without tools.`
}

/** Returns "the run cost $0.52 and reached the cap of $0.50 that its configuration sets". */
export function reachedWords(state: Watched): string {
  const cap = enforcedCap(state)
  if (!cap) return 'the cost cap was reached'
  const who = cap.scope === 'panel' ? 'panel' : 'run'
  const spent = spentUnder(cap, state)
  if (spent === null) {
    return `the cost of this ${who} is unknown, so ${capWords(cap)} cannot be checked`
  }
  return `the ${who} cost ${formatCostMicroUsd(spent)} and reached ${capWords(cap)}`
}

/** Returns "the cap of $0.50 that its configuration sets". */
export function capWords({ scope, limitMicroUsd }: CostCap): string {
  const isOfStart = scope === 'run' || scope === 'panel'
  const by = isOfStart ? 'it was started with' : `its ${scope} sets`
  return `the cap of ${formatCostMicroUsd(limitMicroUsd)} that ${by}`
}
