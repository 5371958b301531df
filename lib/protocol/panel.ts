import { addCost, addUsage, emptyUsage } from './cost'
import { enforcedCap } from './cost-caps'
import type { RunState } from './fold-run'
import type { CostCap, Usage } from './money'
import type { PanelCap, PanelStart } from './panel-start'
import { waitsOf } from './work-time'

/** How many configurations a panel has (SPEC Q1). */
export const panelSize = { least: 2, most: 8 }
/** How often a member may ask for tools, unless the panel says otherwise; and the most that it may say. */
export const hopBudgets = { usual: 2, most: 20 }

/** What a cost cap saw: what was spent under it, whether that is as much as it allows or more, and whether it ended the run. */
type CapView = PanelCap & {
  observedMicroUsd: number | null
  exceeded: boolean
  blocked: boolean
}

/** How a member stands. `cap` null = it has none of its own from the panel. */
export type MemberView = {
  state: RunState
  isWaiting: boolean
  /** Wall time without what it waited for people and for a place to begin; null = it goes on. */
  workMs: number | null
  cap: CapView | null
}

/** How a panel stands. It has ended when no member is open or has its turn yet; times are ms since 1970. */
export type PanelView = {
  members: MemberView[]
  open: number
  endedAt: number | null
  usage: Usage
  costMicroUsd: number | null
  cap: CapView | null
}

/** `hasTurns`: members of it may still begin. */
type Limits = Pick<PanelStart, 'costCap' | 'memberCostCap'> & { hasTurns?: boolean }

/**
 * Returns how a panel stands, from the journals of its members alone: there is no other truth about it. `states` are
 * those of the members that were started.
 */
export function viewPanel(
  { costCap, memberCostCap, hasTurns = false }: Limits,
  states: readonly RunState[],
): PanelView {
  const costMicroUsd = states.reduce<number | null>(
    (sum, state) => addCost(sum, state.costMicroUsd),
    0,
  )
  const members = states.map((state) => ({
    state,
    isWaiting: !state.end && state.waitingSince !== null,
    workMs: workOf(state),
    cap: memberCostCap && viewCap(memberCostCap, 'run', state.costMicroUsd, [state]),
  }))
  const ends = states.map(({ end }) => end?.at ?? null)
  const open = ends.filter((at) => at === null).length
  return {
    members,
    open,
    endedAt: open > 0 || hasTurns ? null : Math.max(0, ...ends.map((at) => at ?? 0)),
    usage: states.reduce((sum, { usage }) => addUsage(sum, usage), emptyUsage),
    costMicroUsd,
    cap: costCap && viewCap(costCap, 'panel', costMicroUsd, states),
  }
}

function workOf(state: RunState): number | null {
  if (!state.end) return null
  const { waitedForPeopleMs, waitedForPlaceMs } = waitsOf(state)
  return Math.max(0, state.end.wallTimeMs - waitedForPeopleMs - waitedForPlaceMs)
}

function viewCap(
  cap: PanelCap,
  scope: CostCap['scope'],
  observedMicroUsd: number | null,
  states: readonly RunState[],
): CapView {
  const exceeded = observedMicroUsd === null || observedMicroUsd >= cap.limitMicroUsd
  return {
    ...cap,
    observedMicroUsd,
    exceeded,
    blocked: states.some((each) => isBlocked(each, scope)),
  }
}

/** Returns whether a cap of this scope ended the run before its model was done. */
function isBlocked(state: RunState, scope: CostCap['scope']): boolean {
  return state.end?.reason === 'cost-cap' && enforcedCap(state)?.scope === scope
}
