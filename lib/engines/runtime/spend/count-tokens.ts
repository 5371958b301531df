import {
  type MessageForm,
  type RoundForm,
  roundMessages,
} from '@/lib/engines/runtime/ask/messages-of'
import type { Attachment, Message } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { answerBeforeImages, imagesText } from '@/lib/protocol/model/result-images'
import type { RoundView } from '@/lib/protocol/run/round-view'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import { schemaTokens, type ToolSpec } from '@/lib/protocol/tool'
import { byteBound } from '@/lib/words/byte-bound'

type Start = RunEventOf<'run-start'>['data']

/** Counted once per object: the messages of a round and tools are the same objects in every request of a run. */
const tokensOfRound = new WeakMap<readonly Message[], number>()
const tokensOfMessage = new WeakMap<Message, number>()
const tokensOfTool = new WeakMap<ToolSpec, number>()

/** Estimates the tokens of a text: one for 4 characters of plain text, and about one per character beyond Latin. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4 + (Buffer.byteLength(text) - text.length) / 2)
}

/** Estimates the tokens of a message, with a few for what its wire adds. */
export function messageTokens(message: Message): number {
  let tokens = tokensOfMessage.get(message)
  if (tokens === undefined) {
    tokens = 4 + textsOf(message).reduce((sum, text) => sum + estimateTokens(text), 0)
    for (const file of attachmentsOf(message)) tokens += likelyFileTokens(file)
    tokensOfMessage.set(message, tokens)
  }
  return tokens
}

export function textsOf(message: Message): string[] {
  switch (message.role) {
    case 'user':
      return [message.text]
    case 'tool':
      return message.attachments
        ? [message.name, message.content, imagesText([message]), answerBeforeImages]
        : [message.name, message.content]
    case 'assistant':
      return [
        message.text,
        ...message.reasoning.map((block) => block.text),
        ...message.toolCalls.flatMap((call) => [call.name, call.argumentsText]),
      ]
    default:
      return message satisfies never
  }
}

/** Parts of a request beside the conversation. */
export type RequestFrame = { system: string; tools: readonly ToolSpec[] } & Omit<
  MessageForm,
  'prunedTurns' | 'prunedThrough'
>

/** Estimates the tokens of a request without its messages. */
export function frameTokens({ system, tools }: Pick<RequestFrame, 'system' | 'tools'>): number {
  return tools.reduce((sum, tool) => sum + toolTokens(tool), estimateTokens(system))
}

/** Estimates the tokens of an answered round: the message of the model and the results of its calls. */
export function roundTokens(round: RoundView, start: Start, form: RoundForm): number {
  const messages = roundMessages(round, start, form)
  let tokens = tokensOfRound.get(messages)
  if (tokens === undefined) {
    tokens = messages.reduce((sum, message) => sum + messageTokens(message), 0)
    tokensOfRound.set(messages, tokens)
  }
  return tokens
}

function toolTokens(tool: ToolSpec): number {
  let tokens = tokensOfTool.get(tool)
  if (tokens === undefined) {
    tokens = schemaTokens(tool)
    tokensOfTool.set(tool, tokens)
  }
  return tokens
}

const none: readonly Attachment[] = []

export function attachmentsOf(message: Message): readonly Attachment[] {
  return (message.role !== 'assistant' && message.attachments) || none
}

/** Tokens of the tags and the marker around the text of a file. */
const aroundText = 256
const usualImage = 1_600
const usualPage = 2_300
const bytesOfPage = 50 * 1024
/** Scanned pages are large, so the size of a file says little about the number of its pages. */
const mostUsualPages = 15

/** Estimates the tokens of a file in a request. */
export function likelyFileTokens({ type, bytes, pages }: Attachment): number {
  if (type === 'text/plain') return Math.ceil(bytes / 4) + 64
  if (type !== 'application/pdf') return usualImage
  return (pages ?? Math.min(Math.ceil(bytes / bytesOfPage), mostUsualPages)) * usualPage
}

/** The most tokens of an image, and of the image that a provider makes of one page of a PDF. */
type MostOf = { image: number; page: number }

/**
 * platform.claude.com/docs/en/build-with-claude/vision: one token for each 28 x 28 pixels, larger images are made smaller
 * to 4,784 (1,568 before Claude 4.7); …/pdf-support: a page costs what an image costs. Read on 2026-11-23, the first one as
 * it is quoted elsewhere.
 */
const claude: MostOf = { image: 4_784, page: 4_784 }
/**
 * ai.google.dev/gemini-api/docs/media-resolution: 2,240 at `ultra_high`; 1,120 for images and 560 for pages otherwise. Read
 * on 2026-11-23 as it is quoted elsewhere. Earlier models have 258 for each of their tiles, without a published maximum.
 */
const geminiSince3: MostOf = { image: 2_240, page: 2_240 }
/**
 * developers.openai.com/api/docs/guides/images-vision: since GPT-5.6 `auto` keeps an image as it is, up to 30,000 patches
 * at 1.2 tokens; the dearest of those made smaller is 6,144 patches at 2.46. GPT-4o mini: 2,833 and 8 tiles of 5,667. Read
 * on 2026-11-23 as it is quoted elsewhere. The guide to file inputs says that pages are shown in high detail and gives no
 * figure, so a page is taken as the dearest image in high detail.
 */
const gpt: MostOf = { image: 36_000, page: 15_115 }
const gpt4oMini: MostOf = { image: 48_169, page: 48_169 }
/** No published figures were found for others (Mistral, Nova, local models): the highest of the above. */
const others = gpt4oMini

/**
 * Returns the maximum of a model family, only where model names are reliable: behind other API types, people name
 * models and deployments as they like.
 */
function mostOf({ wire, modelId }: Pick<ModelTarget, 'wire' | 'modelId'>): MostOf {
  const name = modelId.toLowerCase()
  if (wire === 'anthropic' || wire === 'bedrock') return name.includes('claude') ? claude : others
  if (wire === 'gemini') return /gemini-(?:[3-9]|\d\d)/.test(name) ? geminiSince3 : others
  if (wire === 'openai') return name.includes('gpt-4o-mini') ? gpt4oMini : gpt
  return others
}

/**
 * platform.claude.com/docs/en/build-with-claude/pdf-support: the text of a page is 1,500 to 3,000 tokens. Read on 2026-11-23
 * as it is quoted elsewhere. A page with more text counts by its text.
 */
const textOfPage = 3_000
/** The longest context window of the catalogue of models: no provider can count more of a PDF whose size is not known. */
export const longestWindow = 1_050_000

/** Returns the most tokens that a provider can count for these files (SPEC M2). */
export function mostFileTokens(
  files: readonly Attachment[],
  target: Pick<ModelTarget, 'wire' | 'modelId'>,
): number {
  const { image, page } = mostOf(target)
  return files.reduce((sum, { type, bytes, mostTokens, pages }) => {
    if (type === 'text/plain') return sum + aroundText + (mostTokens ?? bytes)
    if (type !== 'application/pdf') return sum + image
    if (pages === undefined || mostTokens === undefined) return sum + longestWindow
    return sum + pages * page + Math.max(pages * textOfPage, mostTokens) + aroundText
  }, 0)
}

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
