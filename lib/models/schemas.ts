import { z } from 'zod'
import { Prices, unpriced } from '../protocol/cost'

const tokens = z.int().min(1).max(100_000_000)

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
  prices: Prices.default(unpriced),
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
