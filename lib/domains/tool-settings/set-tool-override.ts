import { authorId, type Ctx, requireRole } from '../../kernel/context'
import { changePolicy } from '../../kernel/locks'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { ResetToolOverride, SetToolOverride, type ToolOverride } from './schemas'

/**
 * Switches a tool on or off for this installation. Once this resolves, no call that the new answer forbids
 * starts in any process (SPEC G-F). Whether the tool exists is the caller's to check. Admins only.
 */
export async function setToolOverride(ctx: Ctx, input: SetToolOverride): Promise<ToolOverride> {
  requireRole(ctx, 'admin')
  const { toolName, enabled, reason } = parseInput(SetToolOverride, input)
  return changePolicy(async (tx) => {
    const before = await tx.toolOverride.findUnique({ where: { toolName } })
    const answer = {
      enabled,
      reason,
      changedBy: authorId(ctx),
      changedByLabel: ctx.actor.email,
      changedAt: new Date(),
    }
    const after = await tx.toolOverride.upsert({
      where: { toolName },
      create: { toolName, ...answer },
      update: answer,
    })
    await recordAudit(tx, ctx, {
      action: enabled ? 'tool.switch-on' : 'tool.switch-off',
      objectType: 'tool',
      objectId: toolName,
      before: before && { enabled: before.enabled, reason: before.reason },
      after: { enabled, reason },
      reason,
    })
    return after
  })
}

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
