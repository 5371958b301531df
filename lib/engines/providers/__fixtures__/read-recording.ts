import { expect } from 'vitest'
import { readAnthropic } from '@/lib/engines/providers/anthropic/anthropic-reader'
import { readChatCompletions } from '@/lib/engines/providers/chat-completions/chat-completions-reader'
import { WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { readGemini } from '@/lib/engines/providers/gemini/gemini-reader'
import { readOllama } from '@/lib/engines/providers/ollama/ollama-reader'
import { readResponses } from '@/lib/engines/providers/openai/responses-reader'
import { finishTurn, newTurn, takeDeltas } from '@/lib/engines/providers/turn/turn'
import type { ModelFinish } from '@/lib/protocol/model/message'
import type { Expected, Wire } from './recordings'

const readers = {
  openai: readResponses,
  'openai-compatible': readChatCompletions,
  anthropic: readAnthropic,
  ollama: readOllama,
  gemini: readGemini,
  vertex: readGemini,
}

export type Result = {
  finish: ModelFinish | null
  failure: string | null
  shown: string
  /** The sentence that a person sees for a failure. */
  advice?: string
}

/** Reads an answer with the adapter, without the network. */
export function read(wire: Wire, pieces: readonly Uint8Array[]): Result {
  const turn = newTurn()
  const reader = readers[wire](turn)
  let shown = ''
  const show = () => {
    for (const delta of takeDeltas(turn)) if (delta.type === 'text-delta') shown += delta.text
  }
  try {
    for (const piece of pieces) {
      reader.push(piece)
      show()
    }
    reader.end()
    show()
    return { finish: finishTurn(turn), failure: null, shown }
  } catch (error) {
    if (!(error instanceof WireFailure)) throw error
    show()
    return { finish: null, failure: error.category, shown, advice: error.advice }
  }
}

export function inPieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  return pieces
}

/** Returns where to cut an answer: in the middle of each line, and at three places about its end. */
export function cutsByLine(bytes: Uint8Array): number[] {
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 10)
  const middles = ends.map((end, line) => Math.floor(((ends[line - 1] ?? -1) + end) / 2))
  const places = [0, ...middles, ...ends.flatMap((end) => [end - 1, end, end + 1])]
  return places.filter((at) => at < bytes.length)
}

export function expectResult(result: Result, expected: Expected): void {
  if ('failure' in expected) {
    expect(result).toMatchObject({ finish: null, failure: expected.failure })
    if (expected.says !== undefined) expect(result.advice).toContain(expected.says)
    return
  }
  expect(result.failure).toBeNull()
  expect(result.finish).toMatchObject(expected)
  expect(result.shown).toBe(result.finish?.text)
}

/**
 * Checks that an answer that was cut or damaged is the whole one, a marked part of it, or an error, and that its calls
 * are complete or absent.
 */
export function expectSameOrClean(result: Result, whole: Result): void {
  if (!result.finish) {
    expect(['invalid-response', 'connection', whole.failure]).toContain(result.failure)
    return
  }
  if (result.finish.toolCalls.length > 0)
    expect(result.finish.toolCalls).toEqual(whole.finish?.toolCalls)
  if (result.finish.finishReason === 'cut') expect(result.finish.toolCalls).toEqual([])
  else expect({ ...result.finish, usage: null }).toEqual({ ...whole.finish, usage: null })
}
