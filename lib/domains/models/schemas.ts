import { z } from 'zod'
import { LongPrompt, type Prices, unpriced } from '../../protocol/cost'
import { ReasoningEffort } from '../../protocol/parameter-values'
import { ModelParameter } from '../../protocol/parameters'
import { type SortOrder, sortOrder } from '../../protocol/sort-order'
import type { StalePrice } from '../../protocol/stale-price'
import { AuditReason } from '../audit/audit-reason'
import type { Wire } from '../rows/column-names'

const tokens = z
  .int('Enter a whole number of tokens.')
  .min(1, 'At least 1 token.')
  .max(100_000_000, 'At most 100,000,000 tokens.')

/** As far as the column goes. */
const price = z
  .int('A price must be a whole number of micro-USD.')
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

/** What a model can do beside calling tools; null = unknown. */
export const Capability = z.enum(['structuredOutput', 'vision', 'reasoning'])
export type Capability = z.infer<typeof Capability>

/** `reported` by the provider, `tested` with a real call, `assumed` by an admin or from the catalogue. */
export const CapabilitySource = z.enum(['reported', 'tested', 'assumed'])
export type CapabilitySource = z.infer<typeof CapabilitySource>

export const CapabilitySources = z.partialRecord(Capability, CapabilitySource)
export type CapabilitySources = z.infer<typeof CapabilitySources>

export const ToolCalling = z.enum(['confirmed', 'unconfirmed', 'unsupported'])
export type ToolCalling = z.infer<typeof ToolCalling>

const known = z.boolean().nullable()

const facts = {
  displayName: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(100, 'A name has at most 100 characters.'),
  contextTokens: tokens.nullable(),
  maxOutputTokens: tokens.nullable(),
  toolCalling: ToolCalling,
  structuredOutput: known,
  vision: known,
  reasoning: known,
  reasoningEfforts: z
    .array(ReasoningEffort)
    .transform((efforts) => ReasoningEffort.options.filter((each) => efforts.includes(each))),
  unsupportedParameters: z
    .array(ModelParameter)
    .transform((names) => [...new Set(names)].toSorted()),
}

const PriceSource = z.string().trim().max(500, 'A source has at most 500 characters.')

export const CreateModel = z.object({
  connectionId: z.uuid('Pick a connection.'),
  modelId: z
    .string()
    .trim()
    .min(1, 'Enter the model id that the provider uses.')
    .max(200, 'A model id has at most 200 characters.'),
  displayName: facts.displayName,
  contextTokens: facts.contextTokens.default(null),
  maxOutputTokens: facts.maxOutputTokens.default(null),
  toolCalling: facts.toolCalling.default('unconfirmed'),
  structuredOutput: known.default(null),
  vision: known.default(null),
  reasoning: known.default(null),
  reasoningEfforts: facts.reasoningEfforts.default([]),
  unsupportedParameters: facts.unsupportedParameters.default([]),
  /** The capabilities that the provider itself reports; the other known ones are assumed. */
  reported: z.array(z.enum(['toolCalling', ...Capability.options])).default([]),
  prices: PricesInput.default(unpriced),
  priceSource: PriceSource.default(''),
})
export type CreateModel = z.input<typeof CreateModel>

/** What may be changed of a model; a field that is left out stays. Its id at the provider never changes. */
export const UpdateModel = z.object(facts).partial()
export type UpdateModel = z.input<typeof UpdateModel>

/** The same with its switch, which `reason` is for. */
export const ChangeModel = UpdateModel.extend({
  enabled: z.boolean('Give true or false.').optional(),
  reason: AuditReason,
}).strict()
export type ChangeModel = z.input<typeof ChangeModel>

export const SetModelEnabled = z.object({ enabled: z.boolean(), reason: AuditReason })
export type SetModelEnabled = z.input<typeof SetModelEnabled>

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
export const usualModelSort: SortOrder<ModelSortKey> = 'name'
export const ModelSort = sortOrder(modelSortKeys, usualModelSort)

/** A price row; it holds from `validFrom` until the next one. Times are ISO text in UTC. */
export type PriceListing = {
  id: string
  validFrom: string
  prices: Prices
  source: string
  createdBy: string
  createdAt: string
}

/** A configuration that has the model, as its first (`position` null) or as a fallback. */
export type ModelUse = { id: string; name: string; position: number | null }

/** A model as lists show it. */
export type ModelListing = {
  id: string
  connectionId: string
  connectionName: string
  connectionEnabled: boolean
  wire: Wire
  baseUrl: string | null
  modelId: string
  displayName: string
  contextTokens: number | null
  maxOutputTokens: number | null
  toolCalling: ToolCalling
  toolCallingSource: CapabilitySource | null
  toolCallingTestedAt: string | null
  structuredOutput: boolean | null
  vision: boolean | null
  reasoning: boolean | null
  capabilitySources: CapabilitySources
  /** The efforts it may be asked for; empty = not known. */
  reasoningEfforts: ReasoningEffort[]
  unsupportedParameters: ModelParameter[]
  enabled: boolean
  prices: Prices
  /** Why its price should be looked at; null = it is in order, or there is none. */
  stalePrice: StalePrice | null
  usedBy: ModelUse[]
}

/** A model with the history of its prices, newest first. */
export type ModelDetails = ModelListing & {
  history: PriceListing[]
  /** Which row of the history holds now; null = none. */
  currentPriceId: string | null
  /** When its first run began; null = nothing ran with it yet. */
  firstRunAt: string | null
  createdAt: string
}
