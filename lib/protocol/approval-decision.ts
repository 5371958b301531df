import { z } from 'zod'

/**
 * `by` is the e-mail of whoever decided; nobody for `expired`. `message` reaches the model when denied. `userId` says
 * whose rights are asked again before the call begins; journals from before have none.
 */
export const ApprovalDecision = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('approved'),
    by: z.string(),
    userId: z.string().optional(),
    message: z.string(),
  }),
  z.object({
    type: z.literal('edited'),
    by: z.string(),
    userId: z.string().optional(),
    message: z.string(),
    argumentsText: z.string(),
  }),
  z.object({ type: z.literal('denied'), by: z.string(), message: z.string() }),
  z.object({ type: z.literal('expired') }),
])
export type ApprovalDecision = z.infer<typeof ApprovalDecision>
