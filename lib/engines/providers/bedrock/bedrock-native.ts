import { argumentsObject } from '@/lib/engines/providers/request/tool-schema'
import { wireName } from '@/lib/engines/providers/request/wire-names'
import { withoutRepeats } from '@/lib/engines/providers/turn/repeated-calls'
import type { GrowingCall } from '@/lib/engines/providers/turn/turn'
import type { Message, ModelFinish } from '@/lib/protocol/model/message'
import { cleanText } from '@/lib/words/clean-text'
import { exactJson } from '@/lib/words/json-text'

type AssistantMessage = Extract<Message, { role: 'assistant' }>

/** A block of an answer as it came. Of hidden reasoning only what is encrypted is there, in base64. */
export type BedrockBlock =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; signature: string; redacted: string }
  | { type: 'tool-use'; call: GrowingCall }
  | { type: 'other' }

/**
 * Returns the content of an answer as JSON text, in the order in which it arrived; null when the portable form has all
 * of it.
 */
export function nativeContent(
  blocks: readonly BedrockBlock[],
  { text, toolCalls }: ModelFinish,
): string | null {
  if (toolCalls.some((call) => call.id === null)) return null
  const distinct = withoutRepeats(blocks, (block) =>
    block.type === 'tool-use' ? block.call : null,
  )
  const native = exactJson(distinct.flatMap(wireBlock))
  const portable = assistantBlocks({
    text: cleanText(text),
    toolCalls: toolCalls.map((call) => ({ ...call, callId: '', providerCallId: call.id ?? '' })),
  })
  return native === '[]' || native === exactJson(portable) ? null : native
}

/**
 * Returns the block as it is sent back. Blank text is refused; reasoning needs its signature, because models that sign
 * none refuse it.
 */
function wireBlock(block: BedrockBlock): object[] {
  switch (block.type) {
    case 'text':
      return textBlock(block.text)
    case 'reasoning':
      return block.redacted !== ''
        ? [redactedBlock(block.redacted)]
        : reasoningBlock(block.text, block.signature)
    case 'tool-use':
      return [toolUseBlock(block.call.id ?? '', block.call.name, block.call.argumentsText)]
    case 'other':
      return []
    default:
      return block satisfies never
  }
}

/**
 * Returns the portable form. Reasoning is not in it, because it is signed or encrypted for the account that asked (SPEC
 * R15c).
 */
export function assistantBlocks({
  text,
  toolCalls,
}: Pick<AssistantMessage, 'text' | 'toolCalls'>): object[] {
  return [
    ...textBlock(text),
    ...toolCalls.map((call) =>
      toolUseBlock(wireId(call.providerCallId), call.name, call.argumentsText),
    ),
  ]
}

function textBlock(text: string): object[] {
  return text.trim() === '' ? [] : [{ text }]
}

function reasoningBlock(text: string, signature: string): object[] {
  return signature === '' ? [] : [{ reasoningContent: { reasoningText: { text, signature } } }]
}

function redactedBlock(redactedContent: string): object {
  return { reasoningContent: { redactedContent } }
}

function toolUseBlock(toolUseId: string, name: string, argumentsText: string): object {
  return { toolUse: { toolUseId, name: wireName(name), input: argumentsObject(argumentsText) } }
}

const longestId = 64

/** Returns an id as this wire takes it. Ids of another wire may hold characters that this one refuses, or more of them. */
export function wireId(id: string): string {
  return id.replace(/[^\w.:-]/g, '_').slice(-longestId)
}
