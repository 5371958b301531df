import { type Ctx, requireRole } from '../../kernel/context'
import { changePolicy } from '../../kernel/locks'
import { recordAudit } from '../audit/record-audit'
import { changeConfiguration } from '../rows/configuration-history'
import { type AttachmentKey, requireAttachment } from './require-attachment'

/** Sends a skill one place earlier or later in a configuration. False at either end, or when it is not attached. Admins only. */
export async function moveAttachedSkill(
  ctx: Ctx,
  asked: AttachmentKey,
  direction: 'up' | 'down',
): Promise<boolean> {
  requireRole(ctx, 'admin')
  return changePolicy(async (tx) => {
    const { key, facts } = await requireAttachment(tx, asked)
    const { configurationId, skillId } = key
    const rows = await tx.configurationSkill.findMany({
      where: { configurationId },
      orderBy: { position: 'asc' },
      select: { skillId: true, skill: { select: { name: true } } },
    })
    const from = rows.findIndex((row) => row.skillId === skillId)
    const to = from + (direction === 'up' ? -1 : 1)
    const [moved, other] = [rows[from], rows[to]]
    if (!moved || !other) return false
    const order = rows.with(from, other).with(to, moved)
    await changeConfiguration(tx, ctx, { configurationId }, async () => {
      for (const [position, row] of order.entries()) {
        const attachment = { configurationId, skillId: row.skillId }
        await tx.configurationSkill.updateMany({ where: attachment, data: { position } })
      }
    })
    await recordAudit(tx, ctx, {
      action: 'configuration.order-skills',
      objectType: 'configuration',
      objectId: configurationId,
      before: { configuration: facts.configuration, order: rows.map(({ skill }) => skill.name) },
      after: { configuration: facts.configuration, order: order.map(({ skill }) => skill.name) },
    })
    return true
  })
}
