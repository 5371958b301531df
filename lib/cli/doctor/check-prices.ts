import { systemCtx } from '@/lib/context'
import { listModels } from '@/lib/models/list-models'
import { stalePriceWords } from '@/lib/protocol/stale-price'
import { shellWord } from '../mend-command'
import { type Finding, ok, warn } from './finding'

const check = 'Prices'

/** Models whose prices should be looked at. */
export async function checkPrices(): Promise<Finding[]> {
  const models = await listModels(systemCtx())
  const findings = models.flatMap(({ modelId, connectionName, stalePrice }) => {
    if (!stalePrice) return []
    const model = `${shellWord(modelId)} --connection ${shellWord(connectionName)}`
    const advice = stalePrice.fromCatalogue
      ? `Use its price from now on: toolgate model price ${model} --from-catalogue`
      : `Compare it with the provider's price list, and store it again: toolgate model price ${model} --input USD --output USD --source TEXT`
    return [warn(check, `${modelId} at ${connectionName}: ${stalePriceWords(stalePrice)}`, advice)]
  })
  return findings.length > 0 ? findings : [ok(check, 'no price is out of date')]
}
