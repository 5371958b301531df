import { listModelChoices, type ModelChoice } from '@/lib/domains/configurations/list-model-choices'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'

/**
 * Returns the model named CONNECTION/MODEL, or by its model id alone where only one connection has it, or by the id of
 * its row.
 */
export async function findModelChoice(ctx: Ctx, name: string): Promise<ModelChoice> {
  const models = await listModelChoices(ctx)
  const wanted = name.trim()
  const exact = models.find(
    ({ id, connectionName, modelId }) => id === wanted || `${connectionName}/${modelId}` === wanted,
  )
  if (exact) return exact
  const [found, ...others] = models.filter(({ modelId }) => modelId === wanted)
  if (!found) throw new NotFoundError(`The model ${wanted.slice(0, 200)}`)
  if (others.length === 0) return found
  const all = [found, ...others].map(({ connectionName }) => `${connectionName}/${wanted}`)
  throw new ConflictError(`Several connections have this model. Give one of: ${all.join(', ')}.`)
}
