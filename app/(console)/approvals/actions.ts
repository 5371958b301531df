'use server'
import { z } from 'zod'
import { action } from '@/lib/action'
import { DecideApproval } from '@/lib/approvals/schemas'
import { decideApproval } from '@/lib/runs/decide-approval'
import { findApproval } from '@/lib/runs/list-approvals'

export const answerCall = action(DecideApproval, 'member', decideApproval)

/** Returns one approval as it is now, with what the reader may do; null = the reader may not see it. */
export const readApproval = action(z.object({ approvalId: z.uuid() }), 'member', (ctx, input) =>
  findApproval(ctx, input.approvalId),
)
