import { type Ctx, requireRole } from '../../kernel/context'
import { ConflictError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { recordAudit } from '../audit/record-audit'
import { changeConfiguration } from '../rows/configuration-history'
import { type AttachmentKey, requireAttachment } from './require-attachment'
import { maxSkills } from './schemas'

/**
 * Adds a skill to a configuration, behind those it has; with `enabled` false it takes its place and does not count yet.
 * False when it has it already, on or off. ConflictError beyond 20 skills, NotFoundError when either is missing. Admins
 * only.
 */
export async function attachSkill(
  ctx: Ctx,
  asked: AttachmentKey,
  enabled = true,
): Promise<boolean> {
  requireRole(ctx, 'admin')
  return changePolicy(async (tx) => {
    const { key, facts } = await requireAttachment(tx, asked)
    const { configurationId } = key
    const there = await tx.configurationSkill.findMany({
      where: { configurationId },
      orderBy: { position: 'desc' },
    })
    if (there.some(({ skillId }) => skillId === key.skillId)) return false
    if (there.length >= maxSkills) {
      throw new ConflictError(`A configuration has at most ${maxSkills} skills. Remove one first.`)
    }
    const position = (there[0]?.position ?? -1) + 1
    await changeConfiguration(tx, ctx, { configurationId }, () =>
      tx.configurationSkill.create({ data: { ...key, position, enabled } }),
    )
    await recordAudit(tx, ctx, {
      action: 'configuration.add-skill',
      objectType: 'configuration',
      objectId: configurationId,
      after: { ...facts, skillId: key.skillId, enabled },
    })
    return true
  })
}
