import { z } from 'zod'
import { CostCap } from '@/lib/protocol/cost/money'
import { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { PanelRole } from './panel-role'

// The functions of these are in panel.ts, which pages load without the schemas.

export const PanelCap = CostCap.pick({ mode: true, limitMicroUsd: true, setBy: true })
export type PanelCap = z.infer<typeof PanelCap>

/** A member as it was when the panel began. `runId` null = it was refused, because of `refusal`. */
export const PanelMember = z.object({
  configurationId: z.string().nullable(),
  name: z.string(),
  runId: z.string().nullable(),
  refusal: z.string().nullable(),
  role: PanelRole.optional(),
  /** Instructions of its role, after the system prompt of its configuration. */
  instructions: z.string().optional(),
  hops: z.int().optional(),
  costCap: PanelCap.nullable().optional(),
})
export type PanelMember = z.infer<typeof PanelMember>

/**
 * Input that `panels.start` stores. `tools`: the chosen ones; none: the members have none. Caps null: off (SPEC Q3).
 */
export const PanelStart = z.object({
  members: z.array(PanelMember),
  tools: z.array(z.string()),
  hops: z.int(),
  costCap: PanelCap.nullable(),
  memberCostCap: PanelCap.nullable(),
  /** The task that it is a start of; left out = none. */
  task: RunSnapshot.shape.task.optional(),
  /** Ids of people who count as starters of its members, beside its person (SPEC A10); left out: none. */
  starters: z.array(z.string()).optional(),
  /** The schedule that started it and that others wrote, and the time that it is for; left out = none. */
  schedule: z.object({ id: z.string(), at: z.coerce.date() }).optional(),
  /** The first words of the values of its variables; left out = there are none. */
  values: z.string().optional(),
})
export type PanelStart = z.infer<typeof PanelStart>
