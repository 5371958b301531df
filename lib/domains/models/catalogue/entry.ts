import type { Prices } from '../../../protocol/cost'
import type { ModelFacts } from '../shape'

/** What is known of one model; null = no source says. Prices null = sources differ, or there are none. */
export type CatalogueEntry = Omit<ModelFacts, 'displayName'> & {
  id: string
  /** Other ids of the same model. An id with a date behind it is found without being listed. */
  aliases: string[]
  name: string
  prices: Prices | null
  /** What a whole request costs whose prompt has more tokens; null = the same, as far as is known. */
  longPrompts: { aboveTokens: number; prices: Prices } | null
  /** What the figures leave out, for people. */
  note: string | null
  /** Where every figure above was read. */
  sources: string[]
  /** The day it was read, YYYY-MM-DD. */
  readOn: string
}

/** The models of one provider, found by the host they are asked at. */
export type CatalogueProvider = { name: string; host: string; models: CatalogueEntry[] }
