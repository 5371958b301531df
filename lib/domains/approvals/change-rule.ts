import type { ApprovalRule } from '../../generated/prisma/client'
import type { Ctx } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/policy-lock'
import { recordAudit } from '../audit/record-audit'
import { auditedRule } from './rule-facts'

/** Changes a rule under the policy lock, audits both sides and why, and tells the calls in flight. */
export async function changeRule(
  ctx: Ctx,
  id: string,
  { action, reason, notYet }: { action: string; reason?: string; notYet?: boolean },
  change: (tx: Tx, before: ApprovalRule) => Promise<ApprovalRule>,
): Promise<void> {
  await changePolicy(async (tx) => {
    const before = await tx.approvalRule.findUnique({ where: { id } })
    if (!before) throw new NotFoundError('This rule')
    const after = await change(tx, before)
    if (after === before) return
    await recordAudit(tx, ctx, {
      action,
      objectType: 'approval-rule',
      objectId: id,
      before: auditedRule(before),
      after: { ...auditedRule(after), ...(notYet && { notYet }) },
      ...(reason && { reason }),
    })
  })
}
