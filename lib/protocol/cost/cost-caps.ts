import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { Role } from '@/lib/protocol/tool'
import { formatCostMicroUsd } from '@/lib/words/format'
import { addCost, costBound, type Ran, runCostBound } from './cost'
import type { CapDecision, CostBefore, CostBound, CostCap, CostCapChoice } from './money'

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
    ({ scope, mode, setBy }) =>
      (scopesOfAdmins.has(scope) || setBy === 'task') && mode === 'enforce',
  )
  const loosest = byAdmin ?? (enforcedByAdmin ? 'enforce' : 'ignore')
  return all.slice(0, all.indexOf(loosest) + 1)
}

/** Stored cap of a configuration or a task. */
type StoredCap = {
  costCapMicroUsd: bigint | number | null
  costCapMode: CostCap['mode'] | 'off'
}

/** Returns a stored cap as a run keeps it; none when there is no amount or the cap is off (SPEC M4). */
export function costCapsOf(
  scope: CostCap['scope'],
  { costCapMicroUsd, costCapMode: mode }: StoredCap,
): CostCap[] {
  if (costCapMicroUsd === null || mode === 'off') return []
  return [{ scope, mode, limitMicroUsd: Number(costCapMicroUsd) }]
}

/** Caps that only admins may loosen: the starting run may have got an enforced one of its own from an admin. */
const scopesOfAdmins: ReadonlySet<CostCap['scope']> = new Set(['configuration', 'task', 'parent'])

/** Cost facts in the state of a run. */
type Watched = {
  start: RunEventOf<'run-start'>['data'] | null
  costMicroUsd: number | null
  childrenMicroUsd: number | null
  othersMicroUsd: number | null
  costCapDecision: CapDecision | null
  panelCapDecision: CapDecision | null
}

/** Returns what was chosen about a cap for the rest of the run: that of a panel is chosen for all its members; null = nothing. */
export function decisionOn(
  { scope }: CostCap,
  { start, costCapDecision, panelCapDecision }: Watched,
): CapDecision | null {
  return scope === 'panel' ? (panelCapDecision ?? start?.panelCapDecision ?? null) : costCapDecision
}

/** Returns the caps about which a choice for this run alone decides. */
export function ownCaps({ start }: Pick<Watched, 'start'>): CostCap[] {
  return (start?.snapshot.costCaps ?? []).filter(({ scope }) => scope !== 'panel')
}

type Spent = Pick<Watched, 'start' | 'costMicroUsd' | 'childrenMicroUsd'>
type Counted = Spent & Pick<Watched, 'othersMicroUsd'>

/** Returns what the caps of a run count: its cost so far, with the turns before it (SPEC C1) and its child runs; null = unknown. */
export function spentMicroUsd({ start, costMicroUsd, childrenMicroUsd }: Spent): number | null {
  const own = addCost(costMicroUsd, childrenMicroUsd)
  const before = start?.costBefore
  return before ? addCost(before.microUsd, own) : own
}

/**
 * Returns what the caps of a run leave for one that it starts, each as it counts for the rest of the run. An enforced one
 * may leave nothing: its limit is 0 then.
 */
export function capsLeft(state: Watched): CostCap[] {
  const choice = state.costCapDecision?.choice
  const spent = spentMicroUsd(state)
  if (choice === 'ignore') return []
  return ownCaps(state).flatMap((cap) => {
    const left = spent === null ? 0 : Math.max(0, cap.limitMicroUsd - spent)
    const mode = choice ?? cap.mode
    return mode === 'warn' && left === 0
      ? []
      : [{ scope: 'parent' as const, mode, limitMicroUsd: left }]
  })
}

/** Returns how exact `spentMicroUsd` is. */
export function spentBound(run: Ran): CostBound {
  return widest([run.start?.costBefore?.bound ?? 'exact', runCostBound(run)])
}

/** Returns what these turns cost together, and how exact that is. */
export function costOfTurns(turns: readonly (Ran & Spent)[]): CostBefore {
  return {
    microUsd: turns.reduce(
      (sum: number | null, { costMicroUsd, childrenMicroUsd }) =>
        addCost(sum, addCost(costMicroUsd, childrenMicroUsd)),
      0,
    ),
    bound: widest(turns.map(runCostBound)),
  }
}

function widest(bounds: readonly CostBound[]): CostBound {
  return costBound({ estimated: bounds.includes('about'), atMost: bounds.includes('at-most') })
}

/** Returns what counts against a cap: the cost of the run with its conversation, or of its whole panel; null = unknown. */
export function spentUnder({ scope }: CostCap, state: Counted): number | null {
  return scope === 'panel'
    ? addCost(state.costMicroUsd, state.othersMicroUsd)
    : spentMicroUsd(state)
}

/** Returns the caps that the run has reached, the lowest first. An unknown cost has reached all of them. */
export function reachedCaps(state: Counted): CostCap[] {
  const caps = state.start?.snapshot.costCaps ?? []
  const isReached = (cap: CostCap) => {
    const spent = spentUnder(cap, state)
    return spent === null || spent >= cap.limitMicroUsd
  }
  return caps.filter(isReached).sort((a, b) => a.limitMicroUsd - b.limitMicroUsd)
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

function enforces(cap: CostCap, state: Watched): boolean {
  return (decisionOn(cap, state)?.choice ?? cap.mode) === 'enforce'
}

export function cappedSentence(state: Watched): string {
  const reached = reachedWords(state)
  return `${reached.charAt(0).toUpperCase()}${reached.slice(1)}; the final answer was written without tools.`
}

/** Returns "the run cost $0.52 and reached the cap of $0.50 that its configuration sets". */
export function reachedWords(state: Watched): string {
  const cap = enforcedCap(state)
  if (!cap) return 'the cost cap was reached'
  const [spent, who, also] = [spentUnder(cap, state), costOwner(cap), alsoWords(cap, state)]
  if (spent === null) {
    return `the cost of this ${who}${also} is unknown, so ${capWords(cap)} cannot be checked`
  }
  return `the ${who} cost ${formatCostMicroUsd(spent)}${also} and reached ${capWords(cap)}`
}

/** Returns whose cost a cap limits. */
export function costOwner({ scope }: CostCap): 'run' | 'panel' {
  return scope === 'panel' ? 'panel' : 'run'
}

/** Returns the words behind the cost of a run that continues others, or started some. */
export function alsoWords(
  { scope }: CostCap,
  { start, childrenMicroUsd }: Pick<Watched, 'start' | 'childrenMicroUsd'>,
): string {
  if (scope === 'panel') return ''
  const parts = [
    ...(start?.costBefore ? ['its conversation'] : []),
    ...(childrenMicroUsd !== 0 ? ['its child runs'] : []),
  ]
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`
}

/** Returns "the cap of $0.50 that its configuration sets". */
export function capWords({ scope, limitMicroUsd, setBy }: CostCap): string {
  if (scope === 'parent')
    return `the ${formatCostMicroUsd(limitMicroUsd)} that the run that started it has left`
  const isOfStart = (scope === 'run' || scope === 'panel') && setBy === undefined
  const by = isOfStart ? 'it was started with' : `its ${setBy ?? scope} sets`
  return `the cap of ${formatCostMicroUsd(limitMicroUsd)} that ${by}`
}
