import { z } from 'zod'
import { Outcome } from '@/lib/protocol/tool'

/** A call of an earlier run, whose outcome a later run gives where it does not call the tool. */
export const Recording = z.object({ name: z.string(), argumentsText: z.string(), outcome: Outcome })
export type Recording = z.infer<typeof Recording>
