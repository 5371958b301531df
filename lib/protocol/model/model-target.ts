import { z } from 'zod'
import { Prices } from '@/lib/protocol/cost/money'
import { ReasoningEffort, Wire } from '@/lib/protocol/parameters/parameter-values'
import { ModelParameter } from '@/lib/protocol/parameters/parameters'
import type { DataClass } from '@/lib/protocol/tool'

export const TrustZone = z.enum(['local', 'private', 'external-eu', 'external-global'])
export type TrustZone = z.infer<typeof TrustZone>

/** One model a run may use: the primary first, then the fallback chain. Never holds a key. */
export const ModelTarget = z.object({
  connectionId: z.string(),
  connectionName: z.string(),
  wire: Wire,
  trustZone: TrustZone,
  /** A hash of the address when the run began (`addressHash`); absent in older journals. */
  addressHash: z.string().nullable().optional(),
  modelRecordId: z.string(),
  modelId: z.string(),
  contextTokens: z.int().nullable(),
  maxOutputTokens: z.int().nullable(),
  toolCalling: z.enum(['confirmed', 'unconfirmed', 'unsupported']),
  /** The model reasons before it answers; null or absent: not known. */
  reasoning: z.boolean().nullable().optional(),
  /** The provider makes an answer fit a JSON Schema; null or absent: not known. */
  structuredOutput: z.boolean().nullable().optional(),
  /** The model takes images; null or absent: not known. */
  vision: z.boolean().nullable().optional(),
  /** The efforts it may be asked for; empty or absent = not known. */
  reasoningEfforts: z.array(ReasoningEffort).optional(),
  /** The parameters that the model refuses, which are not sent. */
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

/** A provider of a chain, and how far it is trusted. */
export type LeastTrusted = { connectionName: string; zone: TrustZone }

/** Connection facts in a chain of models. */
export const Provider = ModelTarget.pick({ connectionName: true, trustZone: true, wire: true })
export type Provider = z.infer<typeof Provider>

type Trusted = Pick<ModelTarget, 'trustZone'>
type Named = Trusted & Pick<ModelTarget, 'connectionName'>

/** Returns a chain in which some of the providers have another trust zone. */
export function rezoned<L extends Trusted>(
  chain: readonly L[],
  zone: TrustZone,
  isMeant: (link: L) => boolean,
): L[] {
  return chain.map((link) => (isMeant(link) ? { ...link, trustZone: zone } : link))
}

/**
 * Returns the provider of a chain that decides for all, the first of those that are trusted least: what is sent may be
 * seen by each. Undefined for an empty chain.
 */
export function leastTrusted(chain: readonly [Named, ...Named[]]): LeastTrusted
export function leastTrusted(chain: readonly Named[]): LeastTrusted | undefined
export function leastTrusted(chain: readonly Named[]): LeastTrusted | undefined {
  const [first, ...others] = chain
  if (!first) return undefined
  const { connectionName, trustZone: zone } = others.reduce(
    (least, link) => (isLessTrusted(link, least) ? link : least),
    first,
  )
  return { connectionName, zone }
}

/** Returns whether `a` is trusted less than `b`. */
export function isLessTrusted(a: Trusted, b: Trusted): boolean {
  return distrust(a) > distrust(b)
}

/** Returns the place of a zone in the order from most to least trusted. */
function distrust({ trustZone }: Trusted): number {
  return TrustZone.options.indexOf(trustZone)
}

/** `before` and `after` are a configuration's whole chain. */
type ChainChange = { before: readonly Trusted[]; after: readonly Trusted[] }

/**
 * Returns the raised data class after the chain changed. It was raised for the providers there were: where one is
 * added, or comes to be, that is trusted less than all of them, the raise ends and has to be decided anew.
 */
export function keptRaise(
  raised: DataClass | null,
  { before, after }: ChainChange,
): DataClass | null {
  return mostDistrust(after) > mostDistrust(before) ? null : raised
}

function mostDistrust(chain: readonly Trusted[]): number {
  return Math.max(...chain.map(distrust))
}

type Keyed = Pick<ModelTarget, 'wire' | 'trustZone'> & {
  /** A key is stored, or headers that may replace one, or the server itself has a role. */
  hasSecret: boolean
}

/**
 * Returns whether a provider will most likely refuse requests because no key is stored for it. Servers of one's own,
 * the demo and Ollama answer without one.
 */
export function lacksKey({ wire, trustZone, hasSecret }: Keyed): boolean {
  if (hasSecret) return false
  switch (wire) {
    case 'openai':
    case 'anthropic':
    case 'azure-openai':
    case 'bedrock':
    case 'gemini':
      return true
    case 'openai-compatible':
      return trustZone === 'external-eu' || trustZone === 'external-global'
    case 'ollama':
    case 'demo':
      return false
    default:
      return wire satisfies never
  }
}
