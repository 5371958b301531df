import { z } from 'zod'
import { CostCap } from '@/lib/protocol/cost/money'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { ModelTarget } from '@/lib/protocol/model/model-target'
import { ConfigurationOptions, ModelParameters } from '@/lib/protocol/parameters/parameters'
import { DataClass } from '@/lib/protocol/tool'
import { AllowedNames } from '@/lib/protocol/tool-access'
import { OverrideName } from './override-names'

/**
 * One skill as it was when the run began. `allowedTools` null = it has no opinion (SPEC G-S). `body` is untrusted
 * text; `checksum` is SHA-256 of the whole file, hexadecimal.
 */
export const SkillSnapshot = z.object({
  skillId: z.string(),
  name: z.string(),
  version: z.int(),
  description: z.string(),
  checksum: z.string(),
  allowedTools: z.array(z.string()).nullable(),
  body: z.string(),
})
export type SkillSnapshot = z.infer<typeof SkillSnapshot>

/** Model name in the usage of runs that try a tool: it belongs to no connection. */
export const triedModel = 'demo, for tries of tools'

/** The configuration as it was when the run began (SPEC R1). Editing the configuration never changes a run. */
export const RunSnapshot = z.object({
  /** null = none: a test of a model. */
  configurationId: z.string().nullable(),
  configurationName: z.string(),
  configurationIdentifier: z.string(),
  systemPrompt: z.string(),
  parameters: ModelParameters,
  /** Absent in journals from before: the defaults. */
  options: ConfigurationOptions.optional(),
  targets: z.array(ModelTarget).min(1),
  maxRounds: z.int(),
  timeLimitMs: z.int(),
  ...AllowedNames.shape,
  /** Absent in journals from before: no single tools. */
  allowedTools: AllowedNames.shape.allowedTools.optional(),
  /** Settings that members might override for a single run; absent: none. */
  allowedOverrides: z.array(OverrideName).optional(),
  /** The data class an admin raised the configuration to; null = what the trust zone says. */
  raisedDataClass: DataClass.nullable(),
  /** Approvals need another person than the starter of the run (SPEC G-A). */
  fourEyes: z.boolean(),
  /** Ids of the people who count as its starters beside its person (SPEC A10); absent = nobody. */
  starters: z.array(z.string()).optional(),
  /**
   * Ids of the people who edited an answer, a call or a result that it goes on from; none of them may approve its calls. Absent =
   * nobody did.
   */
  editors: z.array(z.string()).optional(),
  /** Treatment of calls that write after the run read content that others can write (SPEC G-U); absent: none. */
  afterUntrusted: AfterUntrusted.optional(),
  /** The run begins with the notes of its person; absent: no. */
  memoryInPrompt: z.boolean().optional(),
  /** In the order they are sent: the configuration's, then the task's. */
  skills: z.array(SkillSnapshot),
  /**
   * Tools that the skills gate allowed at the start, null: every tool. Those of held-back skills stand last (ADR 010).
   * Older journals have none; there it follows from `skills`.
   */
  grantedBySkills: z.array(z.string()).nullable().optional(),
  /** The task that was run; null = a prompt of one's own. */
  task: z
    .object({ taskId: z.string(), identifier: z.string(), name: z.string(), version: z.int() })
    .nullable(),
  /** `prompted` teaches the model to ask in text (SPEC W); `auto` = native where the model is confirmed to. */
  toolMode: z.enum(['auto', 'native', 'prompted']),
  costCaps: z.array(CostCap),
  /** Maximum rounds with tool calls, whatever its mode (SPEC Q1); absent: as `maxRounds` and `options` say. */
  hopBudget: z.int().positive().optional(),
  /** Why none of its calls may start a run: it is a member of a panel, or another run started it; absent = they may. */
  startsNoRuns: z.enum(['panel', 'run']).optional(),
  /** The configuration of the run that started it, whose rules hold for it, too; absent = no run did. */
  startedFrom: z.string().optional(),
  /** One call of a tool is tried: the demo writes it in place of the models, and no provider is asked. */
  isTry: z.literal(true).optional(),
})
export type RunSnapshot = z.infer<typeof RunSnapshot>
