import type { Connection, Model } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'

/** The model with this id, locked until the transaction ends. NotFoundError when there is none. */
export async function requireModel(
  tx: Tx,
  modelId: string,
): Promise<Model & { connection: Pick<Connection, 'name'> }> {
  const id = parseId(modelId, 'The model')
  await tx.$executeRaw`SELECT 1 FROM models WHERE id = ${id}::uuid FOR UPDATE`
  const include = { connection: { select: { name: true } } }
  const model = await tx.model.findUnique({ where: { id }, include })
  if (!model) throw new NotFoundError('The model')
  return model
}
