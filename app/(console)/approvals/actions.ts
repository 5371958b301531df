'use server'
import { z } from 'zod'
import { action, customAction } from '@/lib/kernel/action'
import { decideApproval } from '@/lib/runs/decide-approval'
import { findApproval } from '@/lib/runs/list-approvals'

export const answerCall = action(decideApproval)

/** Returns one approval as it is now, with what the reader may do; null = the reader may not see it. */
export const readApproval = customAction(
  z.object({ approvalId: z.uuid() }),
  'member',
  (ctx, input) => findApproval(ctx, input.approvalId),
)
