import { z } from 'zod'
import { type Prices, unpriced } from '../protocol/cost'

const tokens = z
  .int('Tokens are a whole number.')
  .min(1, 'At least 1 token.')
  .max(100_000_000, 'At most 100,000,000 tokens.')

/** As far as the column goes. */
const price = z
  .int('A price is a whole number of micro-USD.')
  .nonnegative('A price is not negative.')
  .max(2_147_483_647, 'A price is at most 2,147.48 US dollars for a million tokens.')
  .nullable()
const prices = z.object({
  input: price,
  output: price,
  cachedInput: price,
  cacheWrite: price,
  reasoning: price,
}) satisfies z.ZodType<Prices>

/** Prices are micro-USD per million tokens; null = unknown, which makes a run "unpriced", never free (SPEC R14). */
export const CreateModel = z.object({
  connectionId: z.uuid('Pick a connection.'),
  modelId: z
    .string()
    .trim()
    .min(1, 'Give the model id the provider uses.')
    .max(200, 'A model id has at most 200 characters.'),
  displayName: z
    .string()
    .trim()
    .min(1, 'Give a name.')
    .max(100, 'A name has at most 100 characters.'),
  contextTokens: tokens.nullable().default(null),
  maxOutputTokens: tokens.nullable().default(null),
  toolCalling: z.enum(['confirmed', 'unconfirmed', 'unsupported']).default('unconfirmed'),
  prices: prices.default(unpriced),
})
export type CreateModel = z.input<typeof CreateModel>

/** A model as lists show it. */
export type ModelListing = {
  id: string
  connectionId: string
  connectionName: string
  modelId: string
  displayName: string
  contextTokens: number | null
  maxOutputTokens: number | null
  toolCalling: 'confirmed' | 'unconfirmed' | 'unsupported'
  prices: Prices
}
