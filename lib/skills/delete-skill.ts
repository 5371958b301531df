import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { ConflictError } from '../errors'
import { requireSkill } from './require-skill'
import { withPolicy } from './with-policy'

/**
 * Removes a skill with its history; runs keep what they were sent. ConflictError while configurations use it, which
 * names them, and while its file is in the folder, from where it would come back. Admins only.
 */
export async function deleteSkill(ctx: Ctx, skillId: string): Promise<void> {
  requireRole(ctx, 'admin')
  await withPolicy(async (tx) => {
    const { id, name, source, orphanedAt, version } = await requireSkill(tx, skillId)
    const uses = await tx.configurationSkill.findMany({
      where: { skillId: id },
      select: { configuration: { select: { name: true } } },
      orderBy: { configuration: { name: 'asc' } },
    })
    if (uses.length > 0) {
      const names = uses.map(({ configuration }) => configuration.name).join(', ')
      throw new ConflictError(`${name} is used by ${names}. Remove it there first.`)
    }
    if (source === 'folder' && !orphanedAt) {
      throw new ConflictError(
        `${name} would come back: remove its file from the skills folder and read the folder again.`,
      )
    }
    await tx.skill.delete({ where: { id } })
    await recordAudit(tx, ctx, {
      action: 'skill.delete',
      objectType: 'skill',
      objectId: id,
      before: { name, source, version },
    })
  })
}
