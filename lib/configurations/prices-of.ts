import type { Model } from '../generated/prisma/client'
import type { Prices } from '../protocol/cost'

export function pricesOf(model: Model): Prices {
  return {
    input: model.inputPrice,
    output: model.outputPrice,
    cachedInput: model.cachedInputPrice,
    cacheWrite: model.cacheWritePrice,
    reasoning: model.reasoningPrice,
  }
}
