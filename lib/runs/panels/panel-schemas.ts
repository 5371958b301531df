import { z } from 'zod'
import { Compared, Hops, PanelTools } from '@/lib/domains/tasks/shared/task-panel'
import { CapDecision, CostBound, CostCapChoice, RunCostCap } from '@/lib/protocol/cost/money'
import { PanelRole } from '@/lib/protocol/panel/panel-role'
import { PanelCap, PanelStart } from '@/lib/protocol/panel/panel-start'
import { EndReason } from '@/lib/protocol/run/run-event'
import { GateName, OutcomeType } from '@/lib/protocol/tool'
import { RunFields } from '@/lib/runs/schemas'
import { rowsPerPage } from '@/lib/shape/resource'

/**
 * One prompt for several configurations at once. `tools`: an empty list = none, as by default; the members have those of them
 * that the gates allow. `hops`: how often each member may ask for tools. `costCap`: of all members together;
 * `memberCostCap`: of each.
 */
export const PanelFields = RunFields.pick({
  prompt: true,
  files: true,
  outputSchema: true,
  idempotencyKey: true,
}).extend({
  configurations: Compared,
  tools: PanelTools,
  hops: Hops,
  costCap: RunCostCap.nullable().default(null),
  memberCostCap: RunCostCap.nullable().default(null),
})

export const StartPanelInput = PanelFields.superRefine(({ prompt }, issues) => {
  if (prompt.trim() === '')
    issues.addIssue({ code: 'custom', path: ['prompt'], message: 'Enter a prompt first.' })
})
export type StartPanelInput = z.input<typeof StartPanelInput>
export type CheckedPanel = z.output<typeof StartPanelInput>

const status = z.enum(['running', 'ended'])

/** The answer that a person chose, and the reason. `runId` null: none of them. Times as ISO text in UTC. */
export const PanelChoice = z.object({
  runId: z.string().nullable(),
  note: z.string(),
  by: z.string(),
  at: z.string(),
})
export type PanelChoice = z.infer<typeof PanelChoice>

/** One line of the list of panels. Costs in micro-USD; null = that of at least one member is unknown. */
export const PanelRow = z.object({
  panelId: z.string(),
  status,
  /** The task and the words of its values, or the first words of the prompt. */
  title: z.string(),
  prompt: z.string(),
  kind: z.enum(['confer', 'coordinate']),
  members: z.array(
    z.object({
      name: z.string(),
      role: PanelRole.nullable(),
      runId: z.string().nullable(),
      /** null = it goes on, or was refused. */
      endReason: EndReason.nullable(),
    }),
  ),
  userEmail: z.string(),
  userName: z.string(),
  tokens: z.number(),
  costMicroUsd: z.number().nullable(),
  choice: PanelChoice.nullable(),
  createdAt: z.string(),
})
export type PanelRow = z.infer<typeof PanelRow>

export const PanelFilter = z.object({
  search: z.string().trim().max(200).optional(),
  /** Filters by a chosen answer. */
  chosen: z.enum(['yes', 'no']).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(rowsPerPage),
})
export type PanelFilter = z.infer<typeof PanelFilter>

/** State of a cost cap of a run or of a panel (SPEC M4, Q3). */
export const CapSummary = PanelCap.extend({
  /** Choice of a person since the start; null: `mode` applies. */
  decision: CapDecision.pick({ choice: true, by: true }).nullable(),
  observedMicroUsd: z.number().nullable(),
  exceeded: z.boolean(),
  blocked: z.boolean(),
  /** Question for a person now, with the choices of the reader; null: none. */
  operatorPrompt: z.object({ question: z.string(), choices: z.array(CostCapChoice) }).nullable(),
})

/** One member. What a refused one has no run for is null, and `refusal` says why. */
const PanelMemberSummary = z.object({
  configurationId: z.string().nullable(),
  name: z.string(),
  /** Its role in a coordination; null: not a coordination. */
  role: PanelRole.nullable(),
  refusal: z.string().nullable(),
  run: z
    .object({
      runId: z.string(),
      endReason: EndReason.nullable(),
      truncated: z.boolean(),
      waitsForPeople: z.boolean(),
      message: z.string(),
      answer: z.string(),
      /** The answer of a role, when it has the form of its envelope; null = it has not, or the panel is no coordination. */
      envelope: z.unknown(),
      model: z.string().nullable(),
      tools: z.object({
        accepted: z.array(z.string()),
        rejected: z.array(z.object({ name: z.string(), gate: z.string(), reason: z.string() })),
      }),
      rounds: z.number(),
      calls: z.number(),
      /** `hop`: which of its requests for tools the call is of, the first is 1. `gate`: what denied it. */
      toolCalls: z.array(
        z.object({
          hop: z.number(),
          name: z.string(),
          status: z.enum(['pending', 'running', ...OutcomeType.options]),
          gate: GateName.nullable(),
        }),
      ),
      inputTokens: z.number(),
      outputTokens: z.number(),
      costMicroUsd: z.number().nullable(),
      costBound: CostBound,
      /** Time until its first answer began; null: not yet. */
      firstTokenMs: z.number().nullable(),
      /** Wall time without waiting for people and places; null = it goes on. */
      workMs: z.number().nullable(),
      costCap: CapSummary.nullable(),
    })
    .nullable(),
})

export const PanelSummary = z.object({
  panelId: z.string(),
  /** The task that it is a start of; null = it has a prompt of its own. */
  task: PanelStart.shape.task.unwrap().nullable(),
  status,
  kind: z.enum(['confer', 'coordinate']),
  prompt: z.string(),
  userEmail: z.string(),
  tools: z.array(z.string()),
  /** To which roles the tools apply; empty = to all members. */
  appliesTo: z.array(PanelRole),
  hops: z.number(),
  members: z.array(PanelMemberSummary),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costMicroUsd: z.number().nullable(),
  costCap: CapSummary.nullable(),
  choice: PanelChoice.nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
})
export type PanelSummary = z.infer<typeof PanelSummary>
