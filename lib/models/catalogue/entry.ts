import type { ReasoningEffort } from '../../protocol/configuration-options'
import { type Prices, unpriced } from '../../protocol/cost'
import type { ModelParameter } from '../../protocol/model-target'
import { parseUsd } from '../../protocol/usd-text'
import type { ToolCalling } from '../schemas'

/** What is known of one model; null = no source says. Prices null = sources differ, or there are none. */
export type CatalogueEntry = {
  id: string
  /** Other ids of the same model. An id with a date behind it is found without being listed. */
  aliases: string[]
  name: string
  contextTokens: number | null
  maxOutputTokens: number | null
  toolCalling: ToolCalling
  structuredOutput: boolean | null
  vision: boolean | null
  reasoning: boolean | null
  /** Empty = no source says. */
  reasoningEfforts: ReasoningEffort[]
  unsupportedParameters: ModelParameter[]
  prices: Prices | null
  /** What the figures leave out, for people. */
  note: string | null
  /** Where every figure above was read. */
  sources: string[]
  /** The day it was read, YYYY-MM-DD. */
  readOn: string
}

/** The models of one provider, found by the host they are asked at. */
export type CatalogueProvider = { name: string; host: string; models: CatalogueEntry[] }

type Facts = Partial<Omit<CatalogueEntry, 'id' | 'name' | 'prices' | 'readOn' | 'sources'>> & {
  /** US dollars for a million tokens, as the source writes them. */
  usd?: Partial<Record<keyof Prices, string>>
  sources: string[]
}

/** An entry with everything unknown that is not given. Throws on a figure that is not a price. */
export function entry(id: string, name: string, { usd, ...facts }: Facts): CatalogueEntry {
  return {
    id,
    name,
    aliases: [],
    contextTokens: null,
    maxOutputTokens: null,
    toolCalling: 'unconfirmed',
    structuredOutput: null,
    vision: null,
    reasoning: null,
    reasoningEfforts: [],
    unsupportedParameters: [],
    note: null,
    ...facts,
    prices: usd ? pricesIn(usd) : null,
    readOn: '2026-11-22',
  }
}

function pricesIn(usd: NonNullable<Facts['usd']>): Prices {
  const figures = Object.entries(usd).map(([name, text]) => {
    const microUsd = parseUsd(text)
    if (microUsd === null) throw new Error(`${text} is not a price.`)
    return [name, microUsd]
  })
  return { ...unpriced, ...Object.fromEntries(figures) }
}

/** One file of the public list models.dev, at one of its commits. */
export function modelsDev(commit: string, path: string): string {
  return `https://github.com/anomalyco/models.dev/blob/${commit}/${path}`
}
