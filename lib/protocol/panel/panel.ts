import { addCost, addUsage, emptyUsage } from '@/lib/protocol/cost/cost'
import {
  costCapChoices,
  costOwner,
  decisionOn,
  enforcedCap,
  ownCaps,
  spentUnder,
} from '@/lib/protocol/cost/cost-caps'
import type { CapDecision, CostCap, Usage } from '@/lib/protocol/cost/money'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { waitsOf, workMsOf } from '@/lib/protocol/run/work-time'
import type { Role } from '@/lib/protocol/tool'
import { firstWords } from '@/lib/words/clean-text'
import { formatCostMicroUsd } from '@/lib/words/format'
import type { PanelCap, PanelStart } from './panel-start'

/** Number of configurations in a panel (SPEC Q1). */
export const panelSize = { least: 2, most: 8 }
/** Default and maximum of the rounds in which a member may call tools. */
export const hopBudgets = { usual: 2, most: 20 }

/**
 * State of a cost cap: the amount spent under it, whether that reaches the cap, and whether it ended the run. `mode`:
 * at the start; `decision`: a person's choice since then.
 */
export type CapView = PanelCap & {
  decision: Pick<CapDecision, 'choice' | 'by'> | null
  observedMicroUsd: number | null
  exceeded: boolean
  blocked: boolean
}

/** State of a member. `cap` null: it has none of its own. */
export type MemberView = {
  state: RunState
  isWaiting: boolean
  /** Wall time without what it waited for people and for a place to begin; null = it goes on. */
  workMs: number | null
  cap: CapView | null
}

/** State of a panel. It has ended when every member has ended or will not begin; times are ms since 1970. */
export type PanelView = {
  members: MemberView[]
  open: number
  /** When its first member began; null = none has. */
  startedAt: number | null
  endedAt: number | null
  usage: Usage
  costMicroUsd: number | null
  cap: CapView | null
}

/** `hasTurns`: members of it may still begin. `capDecision`: what a person chose about the cap of all members. */
type Limits = Pick<PanelStart, 'costCap'> & {
  hasTurns?: boolean
  capDecision?: CapDecision | null
}

/**
 * Returns how a panel stands, from the journals of its members alone: there is no other truth about it. `states` are
 * those of the members that were started.
 */
export function viewPanel(
  { costCap, hasTurns = false, capDecision = null }: Limits,
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
    cap: ownCapView(state),
  }))
  const ends = states.map(({ end }) => end?.at ?? null)
  const starts = states.flatMap(({ startedAt }) => startedAt ?? [])
  const open = ends.filter((at) => at === null).length
  return {
    members,
    open,
    startedAt: starts.length > 0 ? Math.min(...starts) : null,
    endedAt: open > 0 || hasTurns ? null : Math.max(0, ...ends.map((at) => at ?? 0)),
    usage: states.reduce((sum, { usage }) => addUsage(sum, usage), emptyUsage),
    costMicroUsd,
    cap: costCap && viewCap(costCap, capDecision, costMicroUsd, states.some(isEndedByPanel)),
  }
}

/** Returns how the lowest cap stands that a member has alone: that of its configuration, its role or of each; null = it has none. */
export function ownCapView(state: RunState): CapView | null {
  const [lowest] = ownCaps(state).sort((a, b) => a.limitMicroUsd - b.limitMicroUsd)
  if (!lowest) return null
  const isBlocked = isCapEnd(state) && enforcedCap(state)?.scope !== 'panel'
  return viewCap(lowest, decisionOn(lowest, state), spentUnder(lowest, state), isBlocked)
}

/** Whom a cap is shown to: its `caps` decide what this role may choose. */
type CapReader = { caps: readonly CostCap[]; role: Role; goesOn: boolean }

/**
 * Returns a cap as an answer says it: with what its person is asked once it only warned, nobody chose since, and what it limits
 * goes on.
 */
export function capSummary(cap: CapView, { caps, role, goesOn }: CapReader) {
  const isOpen = goesOn && cap.mode === 'warn' && cap.decision === null && cap.exceeded
  const [owner = 'run'] = caps.map(costOwner)
  const choices = costCapChoices(caps, role)
  return { ...cap, operatorPrompt: isOpen ? { question: questionOf(cap, owner), choices } : null }
}

/** Returns how the lowest cap stands that a run has alone, as an answer to this role says it; null = it has none. */
export function ownCapSummary(state: RunState, role: Role) {
  const cap = ownCapView(state)
  return cap && capSummary(cap, { caps: ownCaps(state), role, goesOn: state.end === null })
}

function questionOf({ observedMicroUsd, limitMicroUsd }: CapView, owner: string): string {
  const limit = formatCostMicroUsd(limitMicroUsd)
  const standing =
    observedMicroUsd === null
      ? `The cost of the ${owner} is unknown, so its cap of ${limit} counts as reached.`
      : `The ${owner} has cost ${formatCostMicroUsd(observedMicroUsd)} and reached its cap of ${limit}.`
  return `${standing} End it with a final answer (enforce), go on with the warning (warn), or go on without (ignore)?`
}

/** Returns how long a run worked that ended, without what it waited for people and for a place to begin; null = it goes on. */
export function workOf(state: RunState): number | null {
  return state.end && workMsOf(state.end.wallTimeMs, waitsOf(state))
}

function viewCap(
  { mode, limitMicroUsd, setBy }: PanelCap,
  decision: CapDecision | null,
  observedMicroUsd: number | null,
  blocked: boolean,
): CapView {
  return {
    mode,
    limitMicroUsd,
    ...(setBy && { setBy }),
    decision: decision && { choice: decision.choice, by: decision.by },
    observedMicroUsd,
    exceeded: observedMicroUsd === null || observedMicroUsd >= limitMicroUsd,
    blocked,
  }
}

function isEndedByPanel(state: RunState): boolean {
  return isCapEnd(state) && enforcedCap(state)?.scope === 'panel'
}

/** Returns whether a cap ended the run before its model was done. */
function isCapEnd({ end }: RunState): boolean {
  return end?.reason === 'cost-cap'
}

/** Returns what a panel is called: the task and the words of its values, or the first words of the prompt. */
export function panelTitle({ task, values }: Pick<PanelStart, 'task' | 'values'>, prompt: string) {
  if (!task) return firstWords(prompt)
  return firstWords(values === undefined ? task.name : `${task.name}: ${values}`)
}
