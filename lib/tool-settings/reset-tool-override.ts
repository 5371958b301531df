import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { parseInput } from '../parse-input'
import { changePolicy } from '../policy-lock'
import { ResetToolOverride } from './schemas'

/** Takes an admin's answer back: the tool stands on its own default again. Harmless when there was none. Admins only. */
export async function resetToolOverride(ctx: Ctx, input: ResetToolOverride): Promise<void> {
  requireRole(ctx, 'admin')
  const { toolName, reason } = parseInput(ResetToolOverride, input)
  await changePolicy(async (tx) => {
    const before = await tx.toolOverride.findUnique({ where: { toolName } })
    if (!before) return
    await tx.toolOverride.delete({ where: { toolName } })
    await recordAudit(tx, ctx, {
      action: 'tool.reset',
      objectType: 'tool',
      objectId: toolName,
      before: { enabled: before.enabled, reason: before.reason },
      reason,
    })
  })
}
