import { z } from 'zod'
import { Prices } from './cost'
import { ReasoningEffort } from './parameter-values'
import { ModelParameter } from './parameters'
import { Wire } from './wire'

export const TrustZone = z.enum(['local', 'private', 'external-eu', 'external-global'])
export type TrustZone = z.infer<typeof TrustZone>

/** One model a run may use: the primary first, then the fallback chain. Never holds a key. */
export const ModelTarget = z.object({
  connectionId: z.string(),
  connectionName: z.string(),
  wire: Wire,
  trustZone: TrustZone,
  /** Of where it led when the run began (`addressHash`); absent in journals that are older than this. */
  addressHash: z.string().nullable().optional(),
  modelRecordId: z.string(),
  modelId: z.string(),
  contextTokens: z.int().nullable(),
  maxOutputTokens: z.int().nullable(),
  toolCalling: z.enum(['confirmed', 'unconfirmed', 'unsupported']),
  /** Whether it thinks before it answers; null or absent = not known. */
  reasoning: z.boolean().nullable().optional(),
  /** Whether its provider holds an answer to a JSON Schema; null or absent = not known. */
  structuredOutput: z.boolean().nullable().optional(),
  /** Whether it takes images; null or absent = not known. */
  vision: z.boolean().nullable().optional(),
  /** The efforts it may be asked for; empty or absent = not known. */
  reasoningEfforts: z.array(ReasoningEffort).optional(),
  /** What the model refuses and is therefore not sent. */
  unsupportedParameters: z.array(ModelParameter),
  /** Tries a request has in all (SPEC R15). */
  maxTries: z.int(),
  prices: Prices,
  /** The service tier that it is asked in, when that may cost more than its prices: then it has none (`pricesFor`). */
  unpricedTier: z.string().optional(),
  /** The further body field with which it may cost more than its prices: then it has none, either. */
  unpricedField: z.string().optional(),
})
export type ModelTarget = z.infer<typeof ModelTarget>
