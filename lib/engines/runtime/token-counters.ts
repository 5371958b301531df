import type { Message } from '@/lib/protocol/message'
import type { ModelTarget } from '@/lib/protocol/model-target'
import type { ToolSpec } from '@/lib/protocol/tool'

/**
 * Counts the most tokens a text can have. Counts of messages and tools are cached by identity: they are the same
 * objects in every round of a run.
 */
export type TokenCounter = {
  count: (text: string) => number
  messages: WeakMap<Message, number>
  tools: WeakMap<ToolSpec, number>
}

/** Counts one token for each byte. */
export const byteCounter = newCounter(byteBound)

/**
 * Returns the counter for the family of a model. The tokenizers of OpenAI are loaded when first needed (130 ms and 65
 * MB once) and kept. Every other model counts a token for each byte: behind other API types, people name models and
 * deployments as they like.
 */
export async function counterOf(model: Named): Promise<TokenCounter> {
  const family = familyOf(model)
  if (!family) return byteCounter
  family.loading ??= family
    .load()
    .then(({ countTokens }) => newCounter((text) => countInPieces(text, countTokens)))
    .catch(() => byteCounter)
  family.loaded = await family.loading
  return family.loaded
}

/** Returns the counter without waiting: a tokenizer that is not loaded counts bytes. */
export function loadedCounter(model: Named): TokenCounter {
  return familyOf(model)?.loaded ?? byteCounter
}

type Named = Pick<ModelTarget, 'wire' | 'modelId'>

function familyOf({ wire, modelId }: Named): Family | undefined {
  if (wire !== 'openai') return undefined
  const name = modelId.toLowerCase()
  return families.find(({ pattern }) => pattern.test(name))
}

type Family = {
  pattern: RegExp
  load: () => Promise<{ countTokens: CountTokens }>
  loading?: Promise<TokenCounter>
  loaded?: TokenCounter
}

const families: Family[] = [
  {
    pattern: /^(?:gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5(?:\.\d)?|chatgpt-4o|o1|o3|o4)(?=$|[-:@])/,
    load: () => import('gpt-tokenizer/encoding/o200k_base'),
  },
  {
    pattern: /^(?:gpt-4|gpt-3\.5)(?=$|[-:@])/,
    load: () => import('gpt-tokenizer/encoding/cl100k_base'),
  },
]

function newCounter(count: TokenCounter['count']): TokenCounter {
  return { count, messages: new WeakMap(), tools: new WeakMap() }
}

/**
 * Returns the bytes of a text in UTF-8: no tokenizer makes more tokens of it, because each falls back to bytes. Some
 * expand letters first ("ﬁ" to "fi"), so the longer of the two spellings counts.
 */
export function byteBound(text: string): number {
  const bytes = Buffer.byteLength(text)
  if (bytes === text.length) return bytes
  return Math.max(bytes, Buffer.byteLength(text.normalize('NFKC')))
}

/**
 * Counting dense text takes half a millisecond per kilobyte, so the text after this many characters counts by its
 * bytes.
 */
const mostCounted = 128 * 1024
/** A run of letters, of signs or of white space is one piece to a tokenizer, and its time is the square of the length. */
const longestPiece = 64
const runs = /[\p{L}\p{M}]+|[^\s\p{L}\p{M}\p{N}]+|\s+/gu

/** Marks like `<|endoftext|>` are ordinary text here. */
const noMarks = { disallowedSpecial: new Set<string>() }
type CountTokens = (text: string, options: typeof noMarks) => number

/** Counts exactly what people and tools write; pieces that would take too long count by their bytes. */
function countInPieces(text: string, countTokens: CountTokens): number {
  const whole = text.length <= mostCounted ? text : text.slice(0, mostCounted)
  let tokens = byteBound(text.slice(whole.length))
  let from = 0
  for (const { 0: run, index } of whole.matchAll(runs)) {
    if (run.length <= longestPiece) continue
    tokens += countTokens(whole.slice(from, index), noMarks) + byteBound(run)
    from = index + run.length
  }
  return tokens + countTokens(from === 0 ? whole : whole.slice(from), noMarks)
}
