import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { isUniqueViolation, withTransaction } from '../db'
import { ConflictError, NotFoundError } from '../errors'
import { parseInput } from '../parse-input'
import type { Prices } from '../protocol/cost'
import { CreateModel } from './schemas'

/** Adds a model to a connection. ConflictError when the connection has it already. Admins only. */
export async function createModel(ctx: Ctx, input: CreateModel): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const { prices, ...facts } = parseInput(CreateModel, input)
  try {
    return await withTransaction(async (tx) => {
      const connection = await tx.connection.findUnique({ where: { id: facts.connectionId } })
      if (!connection) throw new NotFoundError('The connection')
      const model = await tx.model.create({
        data: {
          ...facts,
          ...(isPriced(prices) && {
            prices: {
              create: { ...prices, validFrom: new Date(), createdByLabel: ctx.actor.email },
            },
          }),
        },
      })
      await recordAudit(tx, ctx, {
        action: 'model.create',
        objectType: 'model',
        objectId: model.id,
        after: { ...facts, prices, connection: connection.name },
      })
      return { id: model.id }
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new ConflictError('This connection has that model already.')
    throw error
  }
}

function isPriced(prices: Prices): boolean {
  return Object.values(prices).some((price) => price !== null)
}
