import { isObject, type JsonObject, textAt } from '@/lib/engines/providers/request/json-value'
import { argumentsObject } from '@/lib/engines/providers/request/tool-schema'
import { wireName } from '@/lib/engines/providers/request/wire-names'
import { withoutRepeats } from '@/lib/engines/providers/turn/repeated-calls'
import type { ModelFinish, WireToolCall } from '@/lib/protocol/model/message'
import { cleanText } from '@/lib/words/clean-text'
import { exactJson } from '@/lib/words/json-text'
import { assistantBlocks } from './anthropic-request'

/** A block of an answer as it came, with what its pieces added. */
export type NativeBlock = JsonObject

/** Adds a piece of a block that was begun; pieces of input are added when the block ends. */
export function growNative(block: NativeBlock, delta: JsonObject): void {
  switch (delta.type) {
    case 'text_delta':
      block.text = textAt(block, 'text') + textAt(delta, 'text')
      return
    case 'thinking_delta':
      block.thinking = textAt(block, 'thinking') + textAt(delta, 'thinking')
      return
    case 'signature_delta':
      block.signature = textAt(block, 'signature') + textAt(delta, 'signature')
      return
    case 'citations_delta':
      if (Array.isArray(block.citations)) block.citations.push(delta.citation)
      else block.citations = [delta.citation]
      return
  }
}

/** Gives a block the input that came in pieces. What was never an object goes back as none, as everywhere. */
export function endNativeInput(block: NativeBlock, inputText: string): void {
  if (inputText !== '') block.input = argumentsObject(inputText)
}

/**
 * Returns the content of an answer as JSON text, its blocks in the order in which they arrived; null when the portable
 * form has all of it. Blank text and the second of two equal calls are left out, because the API refuses them.
 */
export function nativeContent(
  blocks: readonly NativeBlock[],
  { text, toolCalls }: ModelFinish,
): string | null {
  if (toolCalls.some((call) => call.id === null)) return null
  const kept = withoutRepeats(blocks, callOf).filter(
    (block) => block.type !== 'text' || textAt(block, 'text').trim() !== '',
  )
  for (const block of kept) {
    if (block.type === 'tool_use') block.name = wireName(textAt(block, 'name'))
  }
  const portable = assistantBlocks({
    text: cleanText(text),
    toolCalls: toolCalls.map((call) => ({ ...call, callId: '', providerCallId: call.id ?? '' })),
  })
  const isSame = exactJson(kept.map(plainBlock)) === exactJson(portable)
  return isSame || kept.length === 0 ? null : exactJson(kept)
}

function callOf(block: NativeBlock): WireToolCall | null {
  if (block.type !== 'tool_use') return null
  const argumentsText = exactJson(block.input ?? {})
  return { id: textAt(block, 'id') || null, name: textAt(block, 'name'), argumentsText }
}

/** Fields of each kind of block that the portable form keeps, in the order of the block. */
const plainFields: Record<string, readonly string[]> = {
  text: ['type', 'text'],
  tool_use: ['type', 'id', 'name', 'input'],
}

/** Returns the block without empty fields; the block itself when it has more than the portable form. */
function plainBlock(block: NativeBlock): JsonObject {
  const fields = plainFields[textAt(block, 'type')]
  if (!fields) return block
  const more = Object.entries(block).some(
    ([name, value]) => !fields.includes(name) && !saysNothing(name, value),
  )
  return more ? block : Object.fromEntries(fields.map((name) => [name, block[name]]))
}

function saysNothing(name: string, value: unknown): boolean {
  if (value === null || (Array.isArray(value) && value.length === 0)) return true
  return name === 'caller' && isDirect(value)
}

/** Returns whether the model itself made the call, and not a program that the provider runs for it. */
export function isDirect(caller: unknown): boolean {
  return !isObject(caller) || caller.type === 'direct'
}
