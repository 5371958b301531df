import { type Ctx, requireRole } from '../../kernel/context'
import { changePolicy } from '../../kernel/locks'
import { recordAudit } from '../audit/record-audit'
import { changeConfiguration } from '../rows/configuration-history'
import { type AttachmentKey, requireAttachment } from './require-attachment'

/** Takes a skill from a configuration. False when it had none of it. NotFoundError when either is missing. Admins only. */
export async function detachSkill(ctx: Ctx, asked: AttachmentKey): Promise<boolean> {
  requireRole(ctx, 'admin')
  return changePolicy(async (tx) => {
    const { key, facts } = await requireAttachment(tx, asked)
    const { configurationId } = key
    const { changed } = await changeConfiguration(tx, ctx, { configurationId }, () =>
      tx.configurationSkill.deleteMany({ where: key }),
    )
    if (!changed) return false
    await recordAudit(tx, ctx, {
      action: 'configuration.remove-skill',
      objectType: 'configuration',
      objectId: configurationId,
      before: { ...facts, skillId: key.skillId },
    })
    return true
  })
}
