import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { recordAudit } from '../audit/record-audit'
import { requireSkill } from './require-skill'

/**
 * Removes a skill with its history; runs keep what they were sent. ConflictError while configurations or tasks use
 * it, which names them, and while its file is in the folder, from where it would come back. Admins only.
 */
export async function deleteSkill(ctx: Ctx, skillId: string): Promise<void> {
  requireRole(ctx, 'admin')
  await changePolicy(async (tx) => {
    const { id, name, source, orphanedAt, version } = await requireSkill(tx, skillId)
    const names = await namesOfUsers(tx, id)
    if (names.length > 0) {
      throw new ConflictError(`${name} is used by ${names.join(', ')}. Remove it there first.`)
    }
    if (source === 'folder' && !orphanedAt) {
      throw new ConflictError(
        `${name} comes from the skills folder. Remove its file there and read the folder again.`,
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

/** The configurations, then the tasks it is attached to, by name. */
async function namesOfUsers(tx: Tx, skillId: string): Promise<string[]> {
  const configurations = await tx.configuration.findMany({
    where: { skills: { some: { skillId } } },
    select: { name: true },
    orderBy: { name: 'asc' },
  })
  const tasks = await tx.task.findMany({
    where: { skills: { some: { skillId } } },
    select: { name: true },
    orderBy: { name: 'asc' },
  })
  return [...configurations.map(({ name }) => name), ...tasks.map(({ name }) => `task ${name}`)]
}
