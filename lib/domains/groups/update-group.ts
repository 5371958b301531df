import { type Ctx, requireRole } from '../../kernel/context'
import { isUniqueViolation, withTransaction } from '../../kernel/db'
import { ConflictError, NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { UpdateGroup } from './schemas'

/** Renames or describes a group. ConflictError when the name is taken. Admins only. */
export async function updateGroup(ctx: Ctx, groupId: string, input: UpdateGroup): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(groupId, 'The group')
  const change = parseInput(UpdateGroup, input)
  try {
    await withTransaction(async (tx) => {
      const before = await tx.group.findUnique({ where: { id } })
      if (!before) throw new NotFoundError('The group')
      const after = await tx.group.update({ where: { id }, data: change })
      await recordAudit(tx, ctx, {
        action: 'group.update',
        objectType: 'group',
        objectId: id,
        before: { name: before.name, description: before.description },
        after: { name: after.name, description: after.description },
      })
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new ConflictError('Another group has this name.', 'name')
    throw error
  }
}
