import { type Ctx, requireRole } from '../../kernel/context'
import { ConflictError } from '../../kernel/errors'
import { catalogueSays, factsToTake } from './catalogue/catalogue-says'
import { readModel } from './read-model'
import { setModelPrice } from './set-model-price'
import { updateModel } from './update-model'

/**
 * Takes over what the catalogue says of a model: its facts, or its prices from now on with where they were read. False
 * when there is nothing to take. ConflictError when the catalogue does not know the model. Admins only.
 */
export async function takeFromCatalogue(
  ctx: Ctx,
  modelId: string,
  part: 'facts' | 'prices',
): Promise<boolean> {
  requireRole(ctx, 'admin')
  const word = catalogueSays(await readModel(ctx, modelId))
  if (!word) throw new ConflictError('The catalogue does not know this model.')
  if (part === 'facts') return updateModel(ctx, modelId, factsToTake(word))
  const { prices, sources, readOn } = word.entry
  if (!prices || word.prices === 'same') return false
  await setModelPrice(ctx, modelId, { prices, source: `${sources[0]} (read ${readOn})` })
  return true
}
