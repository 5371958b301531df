import 'server-only'
import type { TaskForRun } from '@/lib/domains/tasks/runnable'
import type { EarlierTurn, RunInput } from '@/lib/engines/runtime/deps'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import type { CheckOfRun, JudgedRun } from '@/lib/protocol/check/check'
import type { CapDecision } from '@/lib/protocol/cost/money'
import type { PromptMemory } from '@/lib/protocol/memory'
import type { Fence } from '@/lib/protocol/model/model-text'
import type { PanelRole } from '@/lib/protocol/panel/panel-role'
import type { PanelCap } from '@/lib/protocol/panel/panel-start'
import type { OverrideName } from '@/lib/protocol/run/override-names'
import type { CopiedRounds } from '@/lib/protocol/run/run-event'
import type { RunFile, ToolMeta } from '@/lib/protocol/tool'
import type { StoredTurn } from '@/lib/runs/conversations/earlier-turns'
import type { Engine, Startable } from '@/lib/runs/engine/engine'
import type { ForkOfRun } from '@/lib/runs/fork/copied-rounds'
import type { CheckedRunInput } from '@/lib/runs/schemas'
import type { ParentOfRun } from './child-plan'
import type { PolicyReading } from './policy-cache'

/** Parts of a panel for the run of a member. */
type PanelOfRun = {
  panelId: string
  place: number
  hops: number
  costCap: PanelCap | null
  /** Earlier choice of a person about its cap; left out: none. */
  capDecision?: CapDecision | null | undefined
  role?: PanelRole | undefined
  instructions?: string | undefined
  /** Parts of its prompt that come from members before it; left out: none. */
  carried?: PanelCarried | undefined
  /** The task whose skills it has beside a prompt of its own; left out = none, or that of the run. */
  task?: string | undefined
}

/** Members that ended, whose words are in the prompt of a later one. */
export type PanelCarried = readonly StoredTurn[]

/**
 * Check that a run runs. Its live sources are those that the check names; `task`: the task whose skills and limits it has beside its own
 * prompt, null = none; `editors`: ids of people who wrote recorded results.
 */
export type CheckDraft = {
  facts: CheckOfRun
  copied: CopiedRounds
  editors: string[]
  task: string | null
}

/** A run that is judged, with its words in the prompt behind this fence. */
type JudgeDraft = { facts: JudgedRun; fence: Fence; judged: EarlierTurn }

/** Caches that a start reads from: the memory of an engine, or none. */
export type StartContext = Pick<
  Engine,
  'database' | 'now' | 'policy' | 'snapshots' | 'tools' | 'turns'
>

/** Input for planning a run. */
export type PlanInput = CheckedRunInput & {
  panel?: PanelOfRun
  parent?: ParentOfRun
  fork?: ForkOfRun
  check?: CheckDraft
  judge?: JudgeDraft
}

/** A run that is being planned. Each step of the plan takes it and returns it with what the step adds or narrows. */
export type RunDraft = Startable & {
  context: StartContext
  ctx: Ctx
  input: PlanInput
  /** Transaction for all reads; left out: from memory where nothing has changed. */
  from: Tx | undefined
  client: Tx
  /** The version of the policy when the plan began. */
  version: string
  createdAt: Date
  task: TaskForRun | null
  prompt: string
  variables: Record<string, string>
  maxRounds: number
  overridden: OverrideName[]
  /** Audited facts of the changes. */
  auditedOverrides: object
  /** The starters of the run that this one changes. */
  startersBefore: readonly string[]
}

/** A draft with what the policy says of it, and with what its prompt carries. */
export type DecidedDraft = RunDraft & {
  policy: PolicyReading
  /** The turns that it continues, the oldest first. */
  turns: readonly StoredTurn[]
  turnBefore: RunInput['turnBefore']
  files: RunFile[]
  tools: ReadonlyMap<string, ToolMeta>
  memory: PromptMemory | undefined
}

/** One step of a plan. It throws when the run may not start. */
export type PlanStep<Draft> = (draft: Draft) => Draft | Promise<Draft>

/** Takes the steps of a plan in their order. */
export async function takeSteps<Draft>(
  begun: Draft,
  steps: readonly PlanStep<Draft>[],
): Promise<Draft> {
  let draft = begun
  for (const step of steps) draft = await step(draft)
  return draft
}
