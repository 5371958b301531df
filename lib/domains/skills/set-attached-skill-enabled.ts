import { type Ctx, requireRole } from '../../kernel/context'
import { changePolicy } from '../../kernel/locks'
import { recordAudit } from '../audit/record-audit'
import { changeConfiguration } from '../rows/configuration-history'
import { type AttachmentKey, requireAttachment } from './require-attachment'

/** Switches an attached skill on or off for one configuration. False when it stood so, or is not attached. Admins only. */
export async function setAttachedSkillEnabled(
  ctx: Ctx,
  asked: AttachmentKey,
  enabled: boolean,
): Promise<boolean> {
  requireRole(ctx, 'admin')
  return changePolicy(async (tx) => {
    const { key, facts } = await requireAttachment(tx, asked)
    const where = { ...key, enabled: !enabled }
    const { configurationId } = key
    const { changed } = await changeConfiguration(tx, ctx, { configurationId }, () =>
      tx.configurationSkill.updateMany({ where, data: { enabled } }),
    )
    if (!changed) return false
    await recordAudit(tx, ctx, {
      action: enabled ? 'configuration.switch-on-skill' : 'configuration.switch-off-skill',
      objectType: 'configuration',
      objectId: configurationId,
      before: { ...facts, enabled: !enabled },
      after: { ...facts, enabled },
    })
    return true
  })
}
