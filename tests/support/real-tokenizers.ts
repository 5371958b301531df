import { Tiktoken } from 'js-tiktoken/lite'
import cl100kBase from 'js-tiktoken/ranks/cl100k_base'
import o200kBase from 'js-tiktoken/ranks/o200k_base'

/** Way of counting tokens: one of OpenAI's tokenizers, from another package than the product's, or a token a byte. */
export const billings = ['o200k', 'cl100k', 'bytes'] as const
export type Billing = (typeof billings)[number]

let o200k: Tiktoken | null = null
let cl100k: Tiktoken | null = null

/** This package is slow, and a conversation has the same texts in each of its requests. */
const known = new Map<string, number>()

export function countWith(billing: Billing, text: string): number {
  const key = `${billing} ${text}`
  const tokens = known.get(key) ?? tokensOf(billing, text)
  if (known.size > 1_000) known.clear()
  known.set(key, tokens)
  return tokens
}

function tokensOf(billing: Billing, text: string): number {
  switch (billing) {
    case 'o200k':
      o200k ??= new Tiktoken(o200kBase)
      return o200k.encode(text, [], []).length
    case 'cl100k':
      cl100k ??= new Tiktoken(cl100kBase)
      return cl100k.encode(text, [], []).length
    case 'bytes':
      return Buffer.byteLength(text)
    default:
      return billing satisfies never
  }
}

/** Fields whose text neither a person nor a model reads. */
const unspoken = new Set([
  'id',
  'type',
  'role',
  'status',
  'tool_call_id',
  'tool_use_id',
  'call_id',
  'encrypted_content',
])

/** Returns the tokens of a request's messages, system text and tools, with the overhead of each. */
export function billedInput(billing: Billing, body: Record<string, unknown>): number {
  const { messages = body.input, system = body.instructions, tools } = body
  const said = [...wordsOf(messages), ...wordsOf(system)]
  const around = 3 + 3 * (Array.isArray(messages) ? messages.length : 0)
  const offer = Array.isArray(tools) ? countWith(billing, JSON.stringify(tools)) : 0
  return said.reduce((sum, text) => sum + countWith(billing, text), around + offer)
}

function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(wordsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => (unspoken.has(key) ? [] : wordsOf(part)))
}
