import 'server-only'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { readApprovalRuns, rightsOver } from './approval-rights'
import { visibleApprovals } from './visible-approvals'

/** Maximum waiting calls that are read, those first that wait longest. */
const most = 500

/** Returns the calls that wait, fit `where` and that the caller may approve or deny, the longest wait first. */
export async function findDecidable(
  ctx: Ctx,
  where: Prisma.ApprovalWhereInput = {},
): Promise<string[]> {
  const waiting = await db().approval.findMany({
    where: { AND: [await visibleApprovals(ctx), { status: 'pending' }, where] },
    orderBy: [{ requestedAt: 'asc' }, { id: 'asc' }],
    take: most,
  })
  if (waiting.length === 0) return []
  const runs = await readApprovalRuns(db(), [...new Set(waiting.map(({ runId }) => runId))])
  const rights = await rightsOver(db(), ctx, [...runs.values()])
  return waiting.flatMap((approval) => {
    const run = runs.get(approval.runId)
    const may = run && rights(run, approval)
    return may && (may.allowed || may.mayDeny) ? [approval.id] : []
  })
}
