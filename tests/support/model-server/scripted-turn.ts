import type { Billing } from '../real-tokenizers'

export type ServedWire =
  | 'responses'
  | 'chat-completions'
  | 'anthropic'
  | 'ollama'
  | 'bedrock'
  | 'gemini'

export type ScriptedCall = {
  name: string
  /** An object, or the very text that is to arrive as arguments (which may be no JSON). */
  arguments?: object | string
  /** Left out = the server makes one; null = the wire carries none. */
  id?: string | null
}

/** Answer of the server to one model request. Everything left out has a plausible default. */
export type ScriptedTurn = {
  /** A list is sent as these very chunks; a string word by word. */
  text?: string | string[]
  reasoning?: string | string[]
  calls?: ScriptedCall[]
  /** Null = the provider sends no usage. */
  usage?: Partial<ScriptedUsage> | null
  /** The request is counted by a real tokenizer instead, or by its bytes, and the answer as this many tokens. */
  bill?: { by: Billing; outputTokens: number }
  finish?: 'stop' | 'tool-calls' | 'length' | 'content-filter'
  /** Before the status line is sent. */
  beforeMs?: number
  /** Between two frames; 0 or absent = as fast as the socket takes them. */
  chunkDelayMs?: number
  /** The connection is destroyed after this many frames. */
  cutAfter?: number
  /** The second half of the frames waits until a test opens the gate of this name (`POST /__open`). */
  until?: string
  /** After this number of frames, the connection stays open and silent. */
  hangAfter?: number
  /** Anything but 200 answers with `body` at once. */
  status?: number
  headers?: Record<string, string>
  body?: string | object
}

type ScriptedUsage = {
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  cacheWriteTokens: number
  reasoningTokens: number
  /** In US dollars, as OpenRouter reports it. */
  cost?: number
}

/** One model request as the server saw it, the same for every wire. */
export type ServedRequest = {
  wire: ServedWire
  path: string
  headers: Record<string, string>
  body: Record<string, unknown>
  model: string
  system: string
  /** The text of the first user message, without what is said there of our tags. */
  prompt: string
  /** Names of the tools offered, in their order. */
  offered: string[]
  /** Contents of all tool results so far, in their order. */
  results: string[]
  /** Model answers that are part of the request: 0 in the first round. */
  round: number
  /** No script step was left for it. */
  unexpected: boolean
  /** The client went away before the answer was complete. */
  aborted: boolean
  at: number
}

/** An answer in the form the wires encode: every default filled in. */
export type ServedAnswer = {
  id: string
  model: string
  text: string[]
  reasoning: string[]
  calls: { id: string | null; name: string; argumentsText: string }[]
  usage: ScriptedUsage | null
  finish: 'stop' | 'tool-calls' | 'length' | 'content-filter'
}

let made = 0

export function answerOf(turn: ScriptedTurn, request: ServedRequest): ServedAnswer {
  const number = ++made
  const calls = (turn.calls ?? []).map((call, index) => ({
    id: call.id === undefined ? `call_${number}_${index}` : call.id,
    name: call.name,
    argumentsText:
      typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {}),
  }))
  const text = chunksOf(turn.text)
  const reasoning = chunksOf(turn.reasoning)
  return {
    id: `answer_${number}`,
    model: request.model,
    text,
    reasoning,
    calls,
    usage:
      turn.usage === null ? null : { ...usageOf(request, text, reasoning, calls), ...turn.usage },
    finish: turn.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
  }
}

function chunksOf(text: string | string[] | undefined): string[] {
  if (text === undefined) return []
  return typeof text === 'string' ? (text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text]) : text
}

/** Returns the usage, counting four characters as a token. */
function usageOf(
  request: ServedRequest,
  text: string[],
  reasoning: string[],
  calls: ServedAnswer['calls'],
): ScriptedUsage {
  const tokens = (characters: number) => Math.ceil(characters / 4)
  const called = calls.reduce((sum, call) => sum + call.name.length + call.argumentsText.length, 0)
  const thought = tokens(reasoning.join('').length)
  return {
    inputTokens:
      tokens(request.system.length + request.prompt.length + request.results.join('').length) + 8,
    outputTokens: thought + tokens(text.join('').length + called),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: thought,
  }
}

/** Arguments arrive in pieces, as they do from real providers. */
export function argumentPieces(argumentsText: string): string[] {
  return argumentsText.match(/[\s\S]{1,12}/g) ?? []
}
