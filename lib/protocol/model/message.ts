import { z } from 'zod'
import type { Usage } from '@/lib/protocol/cost/money'
import type { ConfigurationOptions, ModelParameters } from '@/lib/protocol/parameters/parameters'
import type { RunFile, ToolSpec } from '@/lib/protocol/tool'
import type { ProviderFailure } from './failure'

/** Why a request in text could not be read as a call (SPEC W). */
export const AskFault = z.enum([
  'unclosed_tag',
  'bad_json',
  'not_an_object',
  'missing_name',
  'unknown_field',
  'arguments_not_an_object',
])
export type AskFault = z.infer<typeof AskFault>

/**
 * A tool call in the text of a model without tool calling. After the text of the message it wrote `tag`, including the
 * code fence in front of it, and then `after`, which is no part of the answer. `fault` null: the call is in the
 * message.
 */
export const AskedInText = z.object({
  tag: z.string(),
  after: z.string(),
  fault: AskFault.nullable(),
})
export type AskedInText = z.infer<typeof AskedInText>

/** The name of a call whose request does not say one. No tool can have it. */
export const unreadableName = '(unreadable)'

export const openTag = '<tool_call>'
export const closeTag = '</tool_call>'

/** Returns a call as text, for models that request calls in text. */
export function callTag({ name, argumentsText }: { name: string; argumentsText: string }): string {
  return `${openTag}{"name":${JSON.stringify(name)},"args":${argumentsText}}${closeTag}`
}

/**
 * One tool call as the model asked for it. `callId` is ours; `providerCallId` is what goes back on the wire
 * (synthesised when the provider sent none, re-keyed when it sent a duplicate: SPEC R12). `argumentsText` is the
 * model's own JSON text, `{}` when it sent none; it may be invalid JSON.
 */
export const ToolCall = z.object({
  callId: z.string(),
  providerCallId: z.string(),
  name: z.string(),
  argumentsText: z.string(),
})
export type ToolCall = z.infer<typeof ToolCall>

/**
 * A block of model reasoning; `redacted` has no text. `signature` says which field of a server it came in, where that
 * server wants it back (`reasoningSignature`). What providers sign is in their own form of the answer alone.
 */
export const ReasoningBlock = z.object({
  text: z.string(),
  signature: z.string().nullable(),
  redacted: z.boolean(),
})
export type ReasoningBlock = z.infer<typeof ReasoningBlock>

/**
 * A file that goes with what a person says or a tool returns. `content` is there in requests that are sent, and only
 * there: the text as the model is to read it, or the bytes.
 */
export type Attachment = RunFile & {
  fence: { nonce: string; canary: string }
  content?: { text: string } | { bytes: Uint8Array }
}

export type Message =
  | { role: 'user'; text: string; attachments?: readonly Attachment[] }
  | {
      role: 'assistant'
      text: string
      reasoning: ReasoningBlock[]
      toolCalls: ToolCall[]
      /**
       * The answer as its provider wrote it, JSON text, for a request to the connection and wire that gave it. It is
       * sent instead of the portable form (SPEC R15c).
       */
      native?: string
    }
  | {
      role: 'tool'
      providerCallId: string
      name: string
      content: string
      isError: boolean
      /** Images that came with the result and go to this model; absent = none. */
      attachments?: readonly Attachment[]
    }

/** The options of a configuration that are sent to the provider. */
export type RequestOptions = Omit<ConfigurationOptions, 'noFallbackOn' | 'promptedHops'>

/** One model request, whatever the wire. `tools` empty = no `tools` field at all (SPEC R2). */
export type ModelRequest = {
  modelId: string
  system: string
  messages: readonly Message[]
  tools: readonly ToolSpec[]
  /** Tools that the system prompt explains instead, to be asked for in text (SPEC W); adapters do not read it. */
  toolsInText?: readonly ToolSpec[]
  /**
   * The tools that were offered last, where this request offers none and its history has calls. They are sent only to a
   * server that takes no such history without tools, and with the choice that forbids calls.
   */
  toolsBefore?: readonly ToolSpec[]
  parameters: ModelParameters
  /** Absent = the defaults. Adapters send what their wire knows. */
  options?: RequestOptions
  /** The most the model can write in one answer, thinking included; absent or null = not known. */
  mostOutputTokens?: number | null
  /** About how many tokens it has; absent = not estimated. */
  contextTokens?: number
  /** The model reasons before it answers; absent or null: not known. */
  reasoning?: boolean | null
}

/** Returns all tools that this request offers, in either way. */
export function offeredIn({ tools, toolsInText = [] }: ModelRequest): readonly ToolSpec[] {
  return toolsInText.length > 0 ? toolsInText : tools
}

export const finishReasons = ['stop', 'tool-calls', 'length', 'content-filter', 'cut'] as const
/** `cut` = the stream ended without its closing marker: text is kept, calls are never executed (SPEC R10). */
export type FinishReason = (typeof finishReasons)[number]

/** A tool call as the wire delivered it: `id` null when the provider sent none. */
export type WireToolCall = { id: string | null; name: string; argumentsText: string }

/**
 * The whole turn, once; deltas before it are for display only. `usage` null = the provider sent none. `resent` =
 * requests the adapter made again by itself, each without a field that the server refused; absent = none. `notes` say
 * to people what was sent otherwise than the configuration says, because the provider refuses that.
 */
export type ModelFinish = {
  type: 'finish'
  finishReason: FinishReason
  text: string
  reasoning: ReasoningBlock[]
  toolCalls: WireToolCall[]
  usage: Usage | null
  resent?: number
  notes?: string[]
  /**
   * The answer as this wire wrote it, JSON text; goes back as it is (SPEC R15c). Absent = the portable form has all.
   */
  native?: string
  /** True = results find the calls of `native` by their order, so their ids may differ from those of the run. */
  nativeInOrder?: boolean
  /** True = a cut answer whose provider ended it, but without the reason that says that it is whole. */
  isUnexplained?: true
  /** Set when its one call was asked for in text (SPEC W); no wire sets it. */
  inText?: AskedInText
}

/**
 * One key of a connection is replaced by another, by their labels, because the provider refused or limited the first.
 */
type KeyChange = { from: string; to: string; failure: ProviderFailure }

/**
 * Returns whether an adapter may repeat a request itself, which counts as one more (SPEC M2). False = it must not, and
 * the first refusal is the answer. `change` is set when the next one uses another key.
 */
export type MayResend = (change?: KeyChange) => Promise<boolean>

/**
 * Event of an adapter. Exactly one `finish` or `error` arrives, as the last event. An adapter throws only before its
 * first event is requested (wrong use), never after the stream started.
 */
export type ModelEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  | { type: 'tool-call-delta'; index: number; name: string; argumentsText: string }
  | ModelFinish
  | {
      type: 'error'
      failure: ProviderFailure
      resent?: number
      notes?: string[]
      /** The usage that the provider counted for an answer that then failed, which it may charge. */
      usage?: Usage
    }
