import { type Ctx, requireRole } from '../../kernel/context'
import { isUniqueViolation, withTransaction } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { CreateGroup } from './schemas'

/** Adds a group without members. ConflictError when the name is taken. Admins only. */
export async function createGroup(ctx: Ctx, input: CreateGroup): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const facts = parseInput(CreateGroup, input)
  try {
    return await withTransaction(async (tx) => {
      const { id } = await tx.group.create({ data: facts })
      await recordAudit(tx, ctx, {
        action: 'group.create',
        objectType: 'group',
        objectId: id,
        after: facts,
      })
      return { id }
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new ConflictError('Another group has this name.', 'name')
    throw error
  }
}
