'use server'
import { z } from 'zod'
import { DecideApproval } from '@/lib/domains/approvals/schemas'
import { customAction } from '@/lib/kernel/action'
import { decideApproval } from '@/lib/runs/decide-approval'
import { findApproval } from '@/lib/runs/list-approvals'

export const answerCall = customAction(DecideApproval, 'member', (ctx, input) =>
  decideApproval(ctx, input),
)

/** Returns one approval as it is now, with what the reader may do; null = the reader may not see it. */
export const readApproval = customAction(
  z.object({ approvalId: z.uuid() }),
  'member',
  (ctx, input) => findApproval(ctx, input.approvalId),
)
