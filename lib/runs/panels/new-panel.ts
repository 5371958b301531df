import type { AppError } from '@/lib/kernel/errors'
import type { CapDecision } from '@/lib/protocol/cost/money'
import type { PanelRole } from '@/lib/protocol/panel/panel-role'
import type { PanelCap, PanelStart } from '@/lib/protocol/panel/panel-start'
import type { CheckedRunInput } from '@/lib/runs/schemas'
import type { Planned } from '@/lib/runs/start/insert-run'

type RunFields = Pick<CheckedRunInput, 'prompt' | 'files' | 'outputSchema'> &
  Partial<Pick<CheckedRunInput, 'task' | 'variables'>> & { costCap: PanelCap | null }

/**
 * One member that is asked for. `costCap` is its own, `panelCap` that of all members together; `ofTask`: the task whose
 * skills it has beside its own prompt.
 */
export type MemberDraft = RunFields & {
  configuration: string
  ofTask?: string | undefined
  tools: string[]
  hops: number
  panelCap: PanelStart['costCap']
  /** Choice of a person about it before the member began. */
  panelCapDecision?: CapDecision | null
  role?: PanelRole
  instructions?: string
}

export type NewPanel = {
  /** The action in the audit. */
  action: 'panel.start' | 'panel.coordinate'
  /** With a task, its prompt is that of the panel. */
  input: { prompt: string; idempotencyKey: string | null }
  /** Identifies a repeated start; left out: the whole input does. */
  hashed?: object
  wishes: readonly MemberDraft[]
  /** The places of the members that begin at once; the others have their turn later. */
  begins: readonly number[]
  start: Omit<PanelStart, 'members'>
  /** Audited facts beside the names of the configurations. */
  audited: object
  /** Throws for members that cannot be in one panel. */
  check?: (members: readonly PlannedMember[]) => void
}

/** A member that can start, or one that was refused. */
export type PlannedMember =
  | { name: string; planned: Planned; refusal: null }
  | { name: string; planned: null; refusal: string; error: AppError }
