import { z } from 'zod'
import { findModel } from '@/lib/domains/models/find-model'
import { PricesInput } from '@/lib/domains/models/schemas'
import type { Ctx } from '@/lib/kernel/context'

/** Returns the id of the model that an address names by its id, or by the provider's id when one connection has it. */
export async function modelOf(ctx: Ctx, { modelId = '' }: Record<string, string>): Promise<string> {
  return (await findModel(ctx, modelId)).id
}

/** Strict: a misspelt price must not become an unknown one. Prices that are left out are unknown. */
export const GivenPrices = z.strictObject({
  input: PricesInput.shape.input.default(null),
  output: PricesInput.shape.output.default(null),
  cachedInput: PricesInput.shape.cachedInput.default(null),
  cacheWrite: PricesInput.shape.cacheWrite.default(null),
  reasoning: PricesInput.shape.reasoning.default(null),
  longPrompt: PricesInput.shape.longPrompt,
})
