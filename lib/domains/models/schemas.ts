import { z } from 'zod'
import { isPriced, unpriced } from '@/lib/protocol/cost/cost'
import { LongPrompt, Prices, Usage } from '@/lib/protocol/cost/money'
import { Wire } from '@/lib/protocol/parameters/parameter-values'
import { newSchemasOf } from '@/lib/shape/field-codec'
import { sortOrder } from '@/lib/shape/resource'
import type { SortOrder } from '@/lib/shape/sort-order'
import { Capability, CapabilitySource, modelSchemas, modelShape } from './shape'
import { StalePrice } from './shared/stale-price'

/** The largest value of the column. */
const price = z
  .int({
    error: ({ input }) =>
      Number.isNaN(input)
        ? 'Enter US dollars below 1,000,000,000 with up to six decimals, such as 0.075.'
        : 'A price must be a whole number of micro-USD.',
  })
  .nonnegative('A price must not be negative.')
  .max(2_147_483_647, 'A price is at most 2,147.48 US dollars per million tokens.')
  .nullable()

/** Micro-USD per million tokens; null = unknown, which makes a run "unpriced", never free (SPEC R14). */
export const PricesInput = z.object({
  input: price,
  output: price,
  cachedInput: price,
  cacheWrite: price,
  reasoning: price,
  longPrompt: LongPrompt.nullable().optional(),
}) satisfies z.ZodType<Prices>

export const CapabilitySources = z.partialRecord(Capability, CapabilitySource)
export type CapabilitySources = z.infer<typeof CapabilitySources>

const PriceSource = z.string().trim().max(500, 'A source has at most 500 characters.')

export const CreateModel = z.object({
  connectionId: z.uuid('Pick a connection.'),
  modelId: z
    .string()
    .trim()
    .min(1, 'Enter the model id that the provider uses.')
    .max(200, 'A model id has at most 200 characters.'),
  ...newSchemasOf(modelShape),
  /** The capabilities that the provider itself reports; the other known ones are assumed. */
  reported: z.array(z.enum(['toolCalling', ...Capability.options])).default([]),
  prices: PricesInput.default(unpriced),
  priceSource: PriceSource.default(''),
})
export type CreateModel = z.input<typeof CreateModel>

/** Fields of a model that may be changed; one that is left out stays. Its id at the provider never changes. */
export const UpdateModel = z.object(modelSchemas).partial()
export type UpdateModel = z.input<typeof UpdateModel>

/** The input of a change of a model, with its switch. `id`: its id, or the provider's id when one connection has it. */
export const ChangeModel = UpdateModel.extend({
  id: z.string(),
  enabled: z.boolean().optional(),
})

export const CreateModels = z.object({
  connectionId: z.string(),
  models: z
    .array(CreateModel.omit({ connectionId: true }))
    .min(1, 'Pick at least one model.')
    .max(200, 'Add at most 200 models at a time.'),
})

/** `validFrom` null = from now on; before 2000 nothing was ever billed by the token. */
export const SetModelPrice = z.object({
  validFrom: z.iso
    .datetime({ error: 'Enter a date and a time.' })
    .refine((text) => text >= '2000' && text < '2100', 'Enter a date from 2000 to 2099.')
    .nullable()
    .default(null),
  prices: PricesInput,
  source: PriceSource.default(''),
  /** False = refuse when a price for the same moment is there. */
  replace: z.boolean().default(true),
})
export type SetModelPrice = z.input<typeof SetModelPrice>

const modelSortKeys = [
  'name',
  'connection',
  'context',
  'tools',
  'input',
  'output',
  'used',
  'state',
] as const
export type ModelSortKey = (typeof modelSortKeys)[number]
export const defaultModelSort: SortOrder<ModelSortKey> = 'name'
export const ModelSort = sortOrder(modelSortKeys, defaultModelSort)

/** A price is valid from `validFrom` until the next one. Times are ISO text in UTC. */
export const PriceListing = z.object({
  id: z.string(),
  validFrom: z.string(),
  prices: Prices,
  source: z.string(),
  createdBy: z.string(),
  createdAt: z.string(),
})
export type PriceListing = z.output<typeof PriceListing>

/** A configuration that has the model, as its first (`position` null) or as a fallback. */
const ModelUse = z.object({ id: z.string(), name: z.string(), position: z.number().nullable() })
export type ModelUse = z.output<typeof ModelUse>

/**
 * A model as lists show it. `reasoningEfforts` it may be asked for; empty = not known. `stalePrice`: why its price
 * should be looked at; null = it is in order, or there is none.
 */
export const ModelListing = z.object({
  id: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  connectionEnabled: z.boolean(),
  wire: Wire,
  baseUrl: z.string().nullable(),
  modelId: z.string(),
  ...modelSchemas,
  toolCallingSource: CapabilitySource.nullable(),
  toolCallingTestedAt: z.string().nullable(),
  capabilitySources: CapabilitySources,
  enabled: z.boolean(),
  prices: Prices,
  stalePrice: StalePrice.nullable(),
  usedBy: z.array(ModelUse),
})
export type ModelListing = z.output<typeof ModelListing>

/**
 * A model with the history of its prices, newest first. `currentPriceId`: which of them is valid now; null = none.
 * `firstRunAt`: when its first run began; null = nothing ran with it yet.
 */
export const ModelDetails = ModelListing.extend({
  history: z.array(PriceListing),
  currentPriceId: z.string().nullable(),
  firstRunAt: z.string().nullable(),
  createdAt: z.string(),
})
export type ModelDetails = z.output<typeof ModelDetails>

/**
 * Result of one real call with one tool. `failed` says nothing about the model: the provider gave no answer. `runId`:
 * the run that stores the request.
 */
export const ToolTest = z.object({
  outcome: z.enum(['confirmed', 'unsupported', 'failed']),
  message: z.string(),
  usage: Usage.nullable(),
  costMicroUsd: z.number().nullable(),
  runId: z.string(),
})
export type ToolTest = z.output<typeof ToolTest>

/** Returns whether runs can use a model that has no price. */
export function lacksPrice(
  model: Pick<ModelListing, 'enabled' | 'connectionEnabled' | 'usedBy' | 'prices'>,
): boolean {
  const isUsed = model.enabled && model.connectionEnabled && model.usedBy.length > 0
  return isUsed && !isPriced(model.prices)
}
