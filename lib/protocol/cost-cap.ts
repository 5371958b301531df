import { addCost, boundedCost, costBound, type Ran, runCostBound } from './cost'
import { formatCostMicroUsd } from './format'
import type { CostBefore, CostBound, CostCap, CostCapChoice } from './money'
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

type Spent = Pick<Watched, 'start' | 'costMicroUsd' | 'othersMicroUsd'>

function isReached(cap: CostCap, state: Spent): boolean {
  const spent = spentUnder(cap, state)
  return spent === null || spent >= cap.limitMicroUsd
}

/**
 * Returns what counts against a cap: the cost of the run with the turns before it (SPEC C1), or of its whole panel; null = unknown.
 */
function spentUnder(
  { scope }: CostCap,
  { start, costMicroUsd, othersMicroUsd }: Spent,
): number | null {
  if (scope === 'panel') return addCost(costMicroUsd, othersMicroUsd)
  const before = start?.costBefore
  return before ? addCost(before.microUsd, costMicroUsd) : costMicroUsd
}

/** Returns "about $0.52 with its conversation" for what counts against a cap; null = unknown. */
export function costUnder(cap: CostCap, state: Spent & Ran): string | null {
  const spent = spentUnder(cap, state)
  if (spent === null) return null
  const before = state.start?.costBefore?.bound ?? 'exact'
  const bound = cap.scope === 'panel' ? 'exact' : widest([before, runCostBound(state)])
  return boundedCost(spent, bound) + withConversation(cap, state)
}

/** Returns what these turns cost together, and how exact that is. */
export function costOfTurns(turns: readonly (Ran & { costMicroUsd: number | null })[]): CostBefore {
  return {
    microUsd: turns.reduce((sum: number | null, turn) => addCost(sum, turn.costMicroUsd), 0),
    bound: widest(turns.map(runCostBound)),
  }
}

function widest(bounds: readonly CostBound[]): CostBound {
  return costBound({ estimated: bounds.includes('about'), atMost: bounds.includes('at-most') })
}

function withConversation({ scope }: CostCap, { start }: Pick<Watched, 'start'>): string {
  return start?.costBefore && scope !== 'panel' ? ' with its conversation' : ''
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
  const also = withConversation(cap, state)
  if (spent === null) {
    return `the cost of this ${who}${also} is unknown, so ${capWords(cap)} cannot be checked`
  }
  return `the ${who} cost ${formatCostMicroUsd(spent)}${also} and reached ${capWords(cap)}`
}

/** Returns "the cap of $0.50 that its configuration sets". */
export function capWords({ scope, limitMicroUsd }: CostCap): string {
  const isOfStart = scope === 'run' || scope === 'panel'
  const by = isOfStart ? 'it was started with' : `its ${scope} sets`
  return `the cap of ${formatCostMicroUsd(limitMicroUsd)} that ${by}`
}
