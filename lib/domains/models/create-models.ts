import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { insertModel } from './insert-model'
import { CreateModel } from './schemas'

const NewModels = z
  .array(CreateModel.omit({ connectionId: true }))
  .min(1, 'Pick at least one model.')
  .max(200, 'Add at most 200 models at a time.')
type NewModels = z.input<typeof NewModels>

/**
 * Adds several models to a connection at once, all or none; those it has already are left as they are. Gives the ids
 * of the new ones. Admins only.
 */
export async function createModels(
  ctx: Ctx,
  connectionId: string,
  input: NewModels,
): Promise<{ ids: string[] }> {
  requireRole(ctx, 'admin')
  const id = parseId(connectionId, 'The connection')
  const wanted = parseInput(NewModels, input)
  return withTransaction(async (tx) => {
    // Locked, so that two who add at once do not add the same model.
    await tx.$executeRaw`SELECT 1 FROM connections WHERE id = ${id}::uuid FOR UPDATE`
    const connection = await tx.connection.findUnique({
      where: { id },
      include: { models: { select: { modelId: true } } },
    })
    if (!connection) throw new NotFoundError('The connection')
    const known = new Set(connection.models.map(({ modelId }) => modelId))
    const ids: string[] = []
    for (const model of wanted) {
      if (known.has(model.modelId)) continue
      known.add(model.modelId)
      ids.push((await insertModel(tx, ctx, { ...model, connectionId: id }, connection.name)).id)
    }
    return { ids }
  })
}
