import { z } from 'zod'
import { Prices } from '@/lib/protocol/cost/money'
import { modelSchemas } from '../shape'

const { displayName: _storedName, ...facts } = modelSchemas
export const CatalogueFacts = z.object(facts)

/** Facts about one model; null: no source states it. Prices null: sources differ, or there are none. */
export const CatalogueEntry = CatalogueFacts.extend({
  id: z.string(),
  /** Other ids of the same model. An id with a date behind it is found without being listed. */
  aliases: z.array(z.string()),
  name: z.string(),
  prices: Prices.nullable(),
  /** Prices of a whole request whose prompt has more tokens; null: the same prices, as far as is known. */
  longPrompts: z.object({ aboveTokens: z.number(), prices: Prices }).nullable(),
  /** Costs that the figures leave out, for people. */
  note: z.string().nullable(),
  /** Sources of the figures above. */
  sources: z.array(z.string()),
  /** The day it was read, YYYY-MM-DD. */
  readOn: z.string(),
})
export type CatalogueEntry = z.infer<typeof CatalogueEntry>

/** The models of one provider, found by the host they are asked at. */
export type CatalogueProvider = { name: string; host: string; models: CatalogueEntry[] }
