import { z } from 'zod'
import { priceKinds } from '@/lib/protocol/cost/cost'
import type { Prices } from '@/lib/protocol/cost/money'
import type { ModelDetails } from '../schemas'
import { CatalogueEntry, CatalogueFacts } from './entry'
import { findInCatalogue } from './find-in-catalogue'

const CatalogueFact = CatalogueFacts.keyof()
export type CatalogueFact = z.infer<typeof CatalogueFact>
const factNames = CatalogueFact.options

export const CatalogueWord = z.object({
  entry: CatalogueEntry,
  /** Facts that differ from the stored ones or are not stored. Tested facts are never among them. */
  facts: z.array(CatalogueFact),
  /** `newer` = it says other prices than the stored ones, and was read after they were stored. */
  prices: z.enum(['none', 'same', 'missing', 'newer', 'other']),
})
export type CatalogueWord = z.infer<typeof CatalogueWord>

/** Returns what the catalogue says about a model beside what is stored; null when it does not know the model. */
export function catalogueSays(model: ModelDetails): CatalogueWord | null {
  const entry = findInCatalogue(model)
  if (!entry) return null
  const facts = factNames.filter((name) => says(entry, name) && !isSame(model[name], entry[name]))
  const isTested = model.toolCallingSource === 'tested'
  return {
    entry,
    facts: isTested ? facts.filter((name) => name !== 'toolCalling') : facts,
    prices: pricesBeside(model, entry),
  }
}

/** Returns the facts to store when an admin copies them, in the form of an update. */
export function factsToTake({ entry, facts }: CatalogueWord): Partial<CatalogueEntry> {
  return Object.fromEntries(facts.map((name) => [name, entry[name]]))
}

function says(entry: CatalogueEntry, name: CatalogueFact): boolean {
  if (name === 'toolCalling') return entry.toolCalling !== 'unconfirmed'
  if (name === 'unsupportedParameters' || name === 'reasoningEfforts') return entry[name].length > 0
  return entry[name] !== null
}

function pricesBeside(model: ModelDetails, { prices, readOn }: CatalogueEntry) {
  if (prices === null) return 'none'
  const stored = model.history.find(({ id }) => id === model.currentPriceId)
  if (!stored) return 'missing'
  if (isSame(inOrder(stored.prices), inOrder(prices))) return 'same'
  return stored.createdAt.slice(0, 10) < readOn ? 'newer' : 'other'
}

function inOrder(prices: Prices): unknown[] {
  const { longPrompt } = prices
  const long = longPrompt && [
    longPrompt.aboveTokens,
    longPrompt.inputPercent,
    longPrompt.outputPercent,
  ]
  return [...priceKinds.map((kind) => prices[kind]), long ?? null]
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
