import type { ReasoningBlock } from '@/lib/protocol/message'
import { isObject, type JsonObject, listAt, objectAt, parseObject, textAt } from './json-value'
import { createLineSplitter } from './line-splitter'
import type { WireReader } from './stream-turn'
import { tokenCount, usageOf } from './token-count'
import { addArguments, addCall, addReasoning, addText, type Turn } from './turn'
import { errorEvent, eventObject } from './wire-event'

/** Reads an `/api/chat` stream, one JSON object a line, into a turn. Calls come whole and without ids. */
export function readOllama(turn: Turn): WireReader {
  const splitter = createLineSplitter()
  return {
    push: (bytes) => {
      for (const line of splitter.push(bytes)) {
        if (line.trim() !== '' && !turn.closed) readLine(turn, eventObject(line))
      }
    },
    end: () => {
      for (const line of splitter.end()) {
        const whole = parseObject(line)
        if (whole && !turn.closed) readLine(turn, whole)
      }
    },
  }
}

function readLine(turn: Turn, line: JsonObject): void {
  if (line.error !== undefined) throw errorEvent(line.error)
  const message = objectAt(line, 'message')
  const thinking = textAt(message, 'thinking')
  if (thinking !== '') addReasoning(turn, reasoningBlock(turn), thinking)
  addText(turn, textAt(message, 'content'))
  for (const asked of listAt(message, 'tool_calls')) {
    if (isObject(asked)) readCall(turn, objectAt(asked, 'function'))
  }
  if (line.done === true) readEnd(turn, line)
}

function reasoningBlock(turn: Turn): ReasoningBlock {
  const known = turn.reasoning[0]
  if (known) return known
  const block: ReasoningBlock = { text: '', signature: null, redacted: false }
  turn.reasoning.push(block)
  return block
}

function readCall(turn: Turn, asked: JsonObject): void {
  const call = addCall(turn, null, textAt(asked, 'name'))
  call.whole = true
  const args = asked.arguments
  const text = typeof args === 'string' ? args : isObject(args) ? JSON.stringify(args) : ''
  if (text !== '') addArguments(turn, call, text)
}

/** The prompt's figure is missing when all of it was cached; then nothing is claimed. */
function readEnd(turn: Turn, line: JsonObject): void {
  turn.finishReason = line.done_reason === 'length' ? 'length' : 'stop'
  turn.closed = true
  const input = tokenCount(line.prompt_eval_count)
  const output = tokenCount(line.eval_count)
  if (input === null || output === null) return
  turn.usage = usageOf({ input, output, cached: 0, cacheWrite: 0, reasoning: 0 })
}
