import { z } from 'zod'

const ToolName = z.string().min(1).max(200)
const reason = z.string().trim().max(500, 'A reason has at most 500 characters.').default('')

export const SetToolOverride = z.object({ toolName: ToolName, enabled: z.boolean(), reason })
export type SetToolOverride = z.input<typeof SetToolOverride>

export const ResetToolOverride = z.object({ toolName: ToolName, reason })
export type ResetToolOverride = z.input<typeof ResetToolOverride>

export const SetToolGroup = z
  .object({ toolGroup: z.string().min(1).max(200), enabled: z.boolean(), reason })
  .refine(({ enabled, reason: why }) => enabled || why !== '', {
    path: ['reason'],
    message: 'Enter a reason. It is shown to people whose calls are denied.',
  })
export type SetToolGroup = z.input<typeof SetToolGroup>

/** An admin's answer for one tool. No row = the tool's own default. */
export type ToolOverride = {
  toolName: string
  enabled: boolean
  reason: string
  changedByLabel: string
  changedAt: Date
}
