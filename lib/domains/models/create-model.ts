import { type Ctx, requireRole } from '../../kernel/context'
import { isUniqueViolation, withTransaction } from '../../kernel/db'
import { ConflictError, NotFoundError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { insertModel } from './insert-model'
import { CreateModel } from './schemas'

/** Adds a model to a connection. ConflictError when the connection has it already. Admins only. */
export async function createModel(ctx: Ctx, input: CreateModel): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const model = parseInput(CreateModel, input)
  try {
    return await withTransaction(async (tx) => {
      const connection = await tx.connection.findUnique({ where: { id: model.connectionId } })
      if (!connection) throw new NotFoundError('The connection')
      return insertModel(tx, ctx, model, connection.name)
    })
  } catch (error) {
    if (isUniqueViolation(error))
      throw new ConflictError('This connection already has that model.', 'modelId')
    throw error
  }
}
