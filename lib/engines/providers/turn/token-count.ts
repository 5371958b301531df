import {
  isObject,
  type JsonObject,
  listAt,
  objectAt,
} from '@/lib/engines/providers/request/json-value'
import type { Usage } from '@/lib/protocol/cost/money'
import type { Turn } from './turn'

/** No model has a window near this; a larger figure is a fault and would poison budgets and the sums of a run. */
const largestCount = 10_000_000

/** Returns a provider's figure as whole tokens, or null when it is unusable. */
export function tokenCount(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  if (value < 0 || value > largestCount) return null
  return Math.round(value)
}

/** Returns a figure of a usage, which some servers write as text. */
export function countIn(value: unknown): number | null {
  const isText = typeof value === 'string' && /^\d{1,12}(?:\.\d{1,6})?$/.test(value)
  return tokenCount(isText ? Number(value) : value)
}

type Counts = {
  input: number
  output: number
  cached: number
  cacheWrite: number
  reasoning: number
}

/**
 * Returns usage from a provider's figures. A part that is larger than its whole counts as zero, so that a cheaper kind
 * of token never lowers a cost by mistake, and the usage is marked as an estimate.
 */
export function usageOf({ input, output, cached, cacheWrite, reasoning }: Counts): Usage {
  const cacheFits = cached + cacheWrite <= input
  const reasoningFits = reasoning <= output
  return {
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: cacheFits ? cached : 0,
    cacheWriteTokens: cacheFits ? cacheWrite : 0,
    reasoningTokens: reasoningFits ? reasoning : 0,
    estimated: !cacheFits || !reasoningFits,
  }
}

/** Returns the service tier that an answer names; empty when it names none. */
export function servedTier(tier: unknown): Pick<Usage, 'serviceTier'> {
  const isNamed = typeof tier === 'string' && /^(?!unspecified$)[\w. -]{1,50}$/i.test(tier)
  return isNamed ? { serviceTier: tier } : {}
}

/** More is a fault; it would only be shown, but as a sum with others. */
const largestCostMicroUsd = 1e12

/**
 * Returns the cost of a request as its usage reports it, in micro-USD, rounded up: OpenRouter in dollars, xAI in units
 * of 10^-10 dollars, over each API type that they offer. Empty when there is no usable figure.
 */
export function reportedCost({
  cost,
  cost_in_usd_ticks: ticks,
}: JsonObject): Pick<Usage, 'reportedCostMicroUsd'> {
  const microUsd =
    typeof cost === 'number' ? cost * 1e6 : typeof ticks === 'number' ? ticks / 1e4 : Number.NaN
  const isUsable = Number.isFinite(microUsd) && microUsd >= 0 && microUsd <= largestCostMicroUsd
  // Decimal fractions of a dollar are a little more or less in binary.
  return isUsable ? { reportedCostMicroUsd: Math.max(0, Math.ceil(microUsd - 1e-6)) } : {}
}

/**
 * Reads the usage of a chunk; null when it has no usable one. Cached and written tokens are already parts of the
 * prompt. Some servers count reasoning in addition to the completion; the total shows it.
 */
export function readChatUsage(chunk: JsonObject): Usage | null {
  const usage = usageIn(chunk)
  const input = countIn(usage.prompt_tokens)
  const completion = countIn(usage.completion_tokens)
  if (input === null || completion === null) return null
  const inputDetails = objectAt(usage, 'prompt_tokens_details')
  const outputDetails = objectAt(usage, 'completion_tokens_details')
  const total = countIn(usage.total_tokens) ?? 0
  const counted = usageOf({
    input,
    output: Math.max(completion, total - input),
    ...cacheParts(usage, inputDetails),
    reasoning: countIn(outputDetails.reasoning_tokens) ?? 0,
  })
  const tier = servedTier(chunk.service_tier ?? usage.service_tier)
  return { ...counted, ...reportedCost(usage), ...tier }
}

const readNames = ['cached_tokens', 'prompt_cache_hit_tokens', 'cache_read_input_tokens']
const writtenNames = ['cache_write_tokens', 'cache_creation_tokens', 'cache_creation_input_tokens']

/**
 * Returns the parts of the input that were read from a cache and written to it, under whatever name a server has for
 * them. OpenRouter counts written tokens as read, too: what was just written cannot have been read.
 */
export function cacheParts(
  usage: JsonObject,
  details: JsonObject,
): Pick<Counts, 'cached' | 'cacheWrite'> {
  const find = (names: readonly string[]) => {
    const figures = [details, usage].flatMap((place) => names.map((name) => countIn(place[name])))
    return figures.find((figure) => figure !== null && figure > 0) ?? 0
  }
  const [cached, cacheWrite] = [find(readNames), find(writtenNames)]
  const input = countIn(usage.prompt_tokens) ?? countIn(usage.input_tokens) ?? 0
  const isTwice = cached === cacheWrite && (cached * 2 > input || typeof usage.cost === 'number')
  return { cached: isTwice ? 0 : cached, cacheWrite }
}

/** Returns the usage, which servers put into the chunk, into a field of their own, or into the first choice. */
function usageIn(chunk: JsonObject): JsonObject {
  if (isObject(chunk.usage)) return chunk.usage
  const [choice] = listAt(chunk, 'choices')
  const inChoice = isObject(choice) ? choice.usage : undefined
  return isObject(inChoice) ? inChoice : objectAt(objectAt(chunk, 'x_groq'), 'usage')
}

const figures = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const

/**
 * Reads the figures of a Messages stream into a turn. They come in two events, the later ones cumulative; the first one
 * cannot know the output yet. Cache reads and writes are beside the input here.
 */
export function createUsageReader(turn: Turn) {
  const known = new Map<(typeof figures)[number], number | null>()
  let cost: Pick<Usage, 'reportedCostMicroUsd' | 'serviceTier'> = {}
  return (usage: JsonObject, final: boolean): void => {
    for (const name of figures) known.set(name, countIn(usage[name]) ?? known.get(name) ?? null)
    cost = { ...cost, ...reportedCost(usage), ...servedTier(usage.service_tier) }
    const thinking = countIn(objectAt(usage, 'output_tokens_details').thinking_tokens)
    const [fresh, output, read, written] = figures.map((name) => known.get(name) ?? null)
    if (fresh == null || output == null) return
    const cached = read ?? 0
    const cacheWrite = written ?? 0
    const input = fresh + cached + cacheWrite
    const counted = usageOf({ input, output, cached, cacheWrite, reasoning: thinking ?? 0 })
    const isFinal = final && countIn(usage.output_tokens) !== null
    turn.usage = { ...counted, ...cost, estimated: counted.estimated || !isFinal }
  }
}
