import type { AskedInText } from './asked-in-text'
import type { ProviderFailure } from './failure'
import type { Message, ReasoningBlock } from './message'
import type { ConfigurationOptions, ModelParameters } from './parameters'
import type { ToolSpec } from './tool'
import type { Usage } from './usage'

/** What of a configuration's options goes to the provider. */
export type RequestOptions = Omit<ConfigurationOptions, 'noFallbackOn' | 'promptedHops'>

/** One model request, whatever the wire. `tools` empty = no `tools` field at all (SPEC R2). */
export type ModelRequest = {
  modelId: string
  system: string
  messages: readonly Message[]
  tools: readonly ToolSpec[]
  /** Tools that the system prompt explains instead, to be asked for in text (SPEC W); adapters do not read it. */
  toolsInText?: readonly ToolSpec[]
  parameters: ModelParameters
  /** Absent = the defaults. Adapters send what their wire knows. */
  options?: RequestOptions
  /** The most the model can write in one answer, thinking included; absent or null = not known. */
  mostOutputTokens?: number | null
  /** About how many tokens it has; absent = not estimated. */
  contextTokens?: number
  /** Whether the model thinks before it answers; absent or null = not known. */
  reasoning?: boolean | null
}

/** Everything that this request offers, in whatever way. */
export function offeredIn({ tools, toolsInText = [] }: ModelRequest): readonly ToolSpec[] {
  return toolsInText.length > 0 ? toolsInText : tools
}

export const finishReasons = ['stop', 'tool-calls', 'length', 'content-filter', 'cut'] as const
/** `cut` = the stream ended without its closing marker: text is kept, calls are never executed (SPEC R10). */
export type FinishReason = (typeof finishReasons)[number]

/** A tool call as the wire delivered it: `id` null when the provider sent none. */
export type WireToolCall = { id: string | null; name: string; argumentsText: string }

/**
 * The whole turn, once; deltas before it are for display only. `usage` null = the provider sent none. `resent` = requests
 * the adapter made again by itself, each without a field that the server refused; absent = none. `notes` say to people
 * what was sent otherwise than the configuration says, because the provider refuses that.
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
  /** The answer as this wire wrote it, JSON text; goes back as it is (SPEC R15c). Absent = the portable form has all. */
  native?: string
  /** Set when its one call was asked for in text (SPEC W); no wire sets it. */
  inText?: AskedInText
}

/** One key of a connection gives way to another, by their labels, because of what the provider said of the first. */
type KeyChange = { from: string; to: string; failure: ProviderFailure }

/**
 * What an adapter asks before it makes a request again by itself, which counts as one more (SPEC M2). False = it must not:
 * the first refusal is the answer then. `change` is set where the next one goes with another key.
 */
export type MayResend = (change?: KeyChange) => Promise<boolean>

/**
 * What an adapter yields. Exactly one `finish` or `error`, as the last event. An adapter throws only before its
 * first event is asked for (wrong use), never after the stream started.
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
      /** What the provider had counted of an answer that then failed: it may charge it. */
      usage?: Usage
    }
