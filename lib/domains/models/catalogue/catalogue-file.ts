import { z } from 'zod'
import { type PriceKind, unpriced } from '@/lib/protocol/cost/cost'
import type { LongPrompt, Prices } from '@/lib/protocol/cost/money'
import { parseUsd } from '@/lib/words/format'
import { CreateModel, PricesInput } from '../schemas'
import type { CatalogueEntry, CatalogueProvider } from './entry'

const facts = CreateModel.shape

/** US dollars for a million tokens, as the source writes them; what is left out is unknown. */
const Usd = z.partialRecord(
  z.enum(['input', 'output', 'cachedInput', 'cacheWrite', 'reasoning']),
  z.string().refine((text) => PricesInput.shape.input.safeParse(parseUsd(text)).data != null, {
    message: 'Write US dollars such as "0.75", at most 2147.48.',
  }),
)
/** Without the prices of input and output no run has a cost. */
const WholeUsd = Usd.refine(({ input, output }) => input !== undefined && output !== undefined, {
  message: 'Give the prices of input and output.',
})

const Entry = z.strictObject({
  id: facts.modelId,
  name: facts.displayName,
  /** Other ids of the same model. An id with a date behind it is found without being listed. */
  aliases: z.array(facts.modelId),
  contextTokens: facts.contextTokens.unwrap(),
  maxOutputTokens: facts.maxOutputTokens.unwrap(),
  toolCalling: facts.toolCalling.unwrap(),
  structuredOutput: facts.structuredOutput.unwrap(),
  vision: facts.vision.unwrap(),
  reasoning: facts.reasoning.unwrap(),
  reasoningEfforts: facts.reasoningEfforts.unwrap(),
  unsupportedParameters: facts.unsupportedParameters.unwrap(),
  usd: WholeUsd.nullable(),
  /** Prices of a whole request whose prompt is longer than this. */
  longPrompts: z.strictObject({ aboveTokens: z.int().positive(), usd: WholeUsd }).nullable(),
  /** Costs that the figures leave out, for people. */
  note: z.string().trim().min(1).max(500).nullable(),
  /** Sources of the figures above. */
  sources: z.array(z.url({ protocol: /^https$/ })).min(1),
  /** The day it was read. */
  readOn: z.iso.date(),
})

/** One file of the catalogue: the models of one provider, found by the host they are asked at. */
export const CatalogueFile = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    host: z.hostname(),
    /** Name of the provider at models.dev. */
    modelsDev: z.string().trim().min(1).max(100),
    models: z.array(Entry),
  })
  .refine(({ models }) => areDistinct(models.flatMap(({ id, aliases }) => [id, ...aliases])), {
    message: 'Each id and each alias may stand in a file once.',
  })
export type CatalogueFile = z.infer<typeof CatalogueFile>

/** Reads a file of the catalogue. Throws on anything that is no fact with its source and day. */
export function readCatalogueFile(json: unknown): CatalogueProvider {
  const { name, host, models } = CatalogueFile.parse(json)
  return { name, host, models: models.map(toEntry) }
}

function toEntry({ usd, longPrompts, ...entry }: CatalogueFile['models'][number]): CatalogueEntry {
  const prices = usd && pricesIn(usd)
  const long = longPrompts && {
    aboveTokens: longPrompts.aboveTokens,
    prices: pricesIn(longPrompts.usd),
  }
  const longPrompt = prices && long && longPromptOf(prices, long)
  return {
    ...entry,
    prices: prices && { ...prices, ...(longPrompt && { longPrompt }) },
    longPrompts: long,
  }
}

/** Returns the prices of long prompts in percent; where kinds of tokens differ, the highest. */
function longPromptOf(prices: Prices, long: { aboveTokens: number; prices: Prices }): LongPrompt {
  const percent = (...kinds: PriceKind[]) =>
    Math.max(
      100,
      ...kinds.map((kind) => {
        const [plain, dearer] = [prices[kind], long.prices[kind]]
        return plain && dearer ? Math.ceil((dearer * 100) / plain) : 100
      }),
    )
  return {
    aboveTokens: long.aboveTokens,
    inputPercent: percent('input', 'cachedInput', 'cacheWrite'),
    outputPercent: percent('output', 'reasoning'),
  }
}

function pricesIn(usd: z.infer<typeof Usd>): Prices {
  const figures = Object.entries(usd).map(([name, text]) => [name, parseUsd(text)])
  return { ...unpriced, ...Object.fromEntries(figures) }
}

function areDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length
}
