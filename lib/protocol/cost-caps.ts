import { addCost, costBound, type Ran, runCostBound } from './cost'
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
  const enforcedByAdmin = caps.some(({ scope, mode }) => scope !== 'run' && mode === 'enforce')
  const loosest = byAdmin ?? (enforcedByAdmin ? 'enforce' : 'ignore')
  return all.slice(0, all.indexOf(loosest) + 1)
}

/** What the state of a run knows of its cost. */
type Watched = {
  start: RunEventOf<'run-start'>['data'] | null
  costMicroUsd: number | null
  costCapDecision: RunEventOf<'cost-cap-decision'>['data'] | null
}

type Spent = Pick<Watched, 'start' | 'costMicroUsd'>

/** Returns what the caps of a run count: its cost so far, with the turns before it (SPEC C1); null = unknown. */
export function spentMicroUsd({ start, costMicroUsd }: Spent): number | null {
  const before = start?.costBefore
  return before ? addCost(before.microUsd, costMicroUsd) : costMicroUsd
}

/** Returns how exact `spentMicroUsd` is. */
export function spentBound(run: Ran): CostBound {
  return widest([run.start?.costBefore?.bound ?? 'exact', runCostBound(run)])
}

/** Returns the words behind the cost of a run that continues others. */
export function conversationWords({ start }: Pick<Watched, 'start'>): string {
  return start?.costBefore ? ' with its conversation' : ''
}

/** Returns what these turns cost together, and how exact that is. */
export function costOfTurns(turns: readonly (Ran & Spent)[]): CostBefore {
  return {
    microUsd: turns.reduce((sum: number | null, turn) => addCost(sum, turn.costMicroUsd), 0),
    bound: widest(turns.map(runCostBound)),
  }
}

function widest(bounds: readonly CostBound[]): CostBound {
  return costBound({ estimated: bounds.includes('about'), atMost: bounds.includes('at-most') })
}

/** Returns the caps that the run has reached, the lowest first. An unknown cost has reached all of them. */
export function reachedCaps(state: Spent): CostCap[] {
  const caps = state.start?.snapshot.costCaps ?? []
  const spent = spentMicroUsd(state)
  return caps
    .filter(({ limitMicroUsd }) => spent === null || spent >= limitMicroUsd)
    .sort((a, b) => a.limitMicroUsd - b.limitMicroUsd)
}

/** Returns whether a cap ends this run when it is reached: by its own mode, or by a choice for the rest of the run. */
export function isEnforcing(state: Watched): boolean {
  const caps = state.start?.snapshot.costCaps ?? []
  return caps.some((cap) => enforces(cap, state))
}

/** Returns whether the run may make only its closing request (SPEC M4). */
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

/** Returns "the run cost $0.52 and reached the cap of $0.50 that its configuration sets". */
export function reachedWords(state: Watched): string {
  const cap = reachedCaps(state).find((each) => enforces(each, state))
  if (!cap) return 'the cost cap was reached'
  const [spent, also] = [spentMicroUsd(state), conversationWords(state)]
  if (spent === null) {
    return `the cost of this run${also} is unknown, so ${capWords(cap)} cannot be checked`
  }
  return `the run cost ${formatCostMicroUsd(spent)}${also} and reached ${capWords(cap)}`
}

/** Returns "the cap of $0.50 that its configuration sets". */
export function capWords({ scope, limitMicroUsd }: CostCap): string {
  const by = scope === 'run' ? 'it was started with' : `its ${scope} sets`
  return `the cap of ${formatCostMicroUsd(limitMicroUsd)} that ${by}`
}
