import { z } from 'zod'
import type { TrustZone, Wire } from '../column-names'
import type { Prices } from '../protocol/cost'
import { DataClass } from '../protocol/tool'

const text = (max: number) => z.string().max(max, `At most ${max.toLocaleString('en')} characters.`)

export const ConfigurationIdentifier = z
  .string()
  .trim()
  .toLowerCase()
  .max(60, 'An identifier has at most 60 characters.')
  .regex(/^[a-z0-9]+([._-][a-z0-9]+)*$/, 'Use small letters, digits and single . _ - between them.')

export const ReasoningEffort = z.enum(['low', 'medium', 'high'])

/** Limits are SPEC R3 (rounds) and R8 (time). `allowedToolGroups` null = every group. */
export const CreateConfiguration = z.object({
  identifier: ConfigurationIdentifier,
  name: z.string().trim().min(1, 'Give a name.').max(100, 'A name has at most 100 characters.'),
  description: text(1_000).default(''),
  modelId: z.uuid('Pick a model.'),
  fallbackModelIds: z.array(z.uuid()).max(5, 'At most 5 fallback models.').default([]),
  groupIds: z.array(z.uuid()).max(200).default([]),
  systemPrompt: text(100_000).default(''),
  temperature: z.number().min(0).max(2, 'Temperature goes from 0 to 2.').nullable().default(null),
  topP: z.number().gt(0).max(1, 'Top-p goes from 0 to 1.').nullable().default(null),
  maxOutputTokens: z
    .int()
    .min(1, 'At least 1 token.')
    .max(10_000_000, 'At most 10,000,000 tokens.')
    .nullable()
    .default(null),
  stop: z.array(z.string().min(1).max(200)).max(4, 'At most 4 stop sequences.').default([]),
  seed: z.int32('A seed is a whole number of at most 2,147,483,647.').nullable().default(null),
  reasoningEffort: ReasoningEffort.nullable().default(null),
  maxRounds: z.int().min(1, 'At least 1 round.').max(50, 'At most 50 rounds.').default(5),
  timeLimitMs: z
    .int()
    .min(1_000, 'At least one second.')
    .max(86_400_000, 'At most one day.')
    .default(600_000),
  allowedToolGroups: z.array(z.string().min(1).max(100)).max(100).nullable().default(null),
  raisedDataClass: DataClass.nullable().default(null),
})
export type CreateConfiguration = z.input<typeof CreateConfiguration>

/** What an admin changes of a configuration that runs; what is left out stays. Groups are sorted, each named once. */
export const ConfigurationPolicy = z.object({
  enabled: z.boolean().optional(),
  allowedToolGroups: z
    .array(z.string().min(1).max(100))
    .max(100, 'At most 100 groups.')
    .transform((names) => [...new Set(names)].sort())
    .nullable()
    .optional(),
  raisedDataClass: DataClass.nullable().optional(),
  fourEyes: z.boolean().optional(),
  reason: z.string().trim().max(500, 'A reason has at most 500 characters.').default(''),
})
export type ConfigurationPolicy = z.input<typeof ConfigurationPolicy>

/** What a person picks from. `prices` are micro-USD per million tokens, null where unknown. */
export type ConfigurationListing = {
  id: string
  identifier: string
  name: string
  description: string
  maxRounds: number
  connectionName: string
  wire: Wire
  trustZone: TrustZone
  modelId: string
  modelName: string
  contextTokens: number | null
  toolCalling: 'confirmed' | 'unconfirmed' | 'unsupported'
  prices: Prices
}
