import { createLineSplitter, createObjectCollector } from '@/lib/engines/providers/http/read-events'
import { errorEvent, eventObject } from '@/lib/engines/providers/http/wire-event'
import {
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  parseObject,
  textAt,
} from '@/lib/engines/providers/request/json-value'
import { argumentsIn } from '@/lib/engines/providers/request/tool-schema'
import type { WireReader } from '@/lib/engines/providers/turn/stream-turn'
import { createThinkSplitter } from '@/lib/engines/providers/turn/think-tags'
import { countIn, usageOf } from '@/lib/engines/providers/turn/token-count'
import {
  addArguments,
  addCall,
  addReasoning,
  addText,
  readOrCount,
  type Turn,
  unknownEnd,
} from '@/lib/engines/providers/turn/turn'
import type { FinishReason, ReasoningBlock } from '@/lib/protocol/model/message'
import type { ParsedJson } from '@/lib/words/json-text'

/**
 * Reads an answer of `/api/chat` into a turn: one JSON object a line, or one object over many lines from a server that
 * does not stream. Calls come whole, from older servers without ids.
 */
export function readOllama(turn: Turn): WireReader {
  const splitter = createLineSplitter()
  const think = createThinkSplitter({
    text: (text) => addText(turn, text),
    thought: (text) => addReasoning(turn, reasoningBlock(turn), text),
  })
  const take = (text: string) => {
    readOrCount(
      turn,
      () => readLine(turn, think, eventObject(text), text),
      () => readUsage(turn, parseObject(text) ?? {}),
    )
  }
  let whole: WireReader | null = null
  let isFirst = true

  function push(line: string): void {
    if (turn.closed || line.trim() === '') return
    if (isFirst && line.trimStart().startsWith('{') && !parseObject(line)) {
      whole = createObjectCollector((_, text) => take(text))
    }
    isFirst = false
    if (whole) whole.push(Buffer.from(line))
    else take(line)
  }

  return {
    push: (bytes) => {
      for (const line of splitter.push(bytes)) push(line)
    },
    end: () => {
      // An unfinished last line counts only if its JSON is whole.
      for (const line of splitter.end()) if (whole || parseObject(line)) push(line)
      whole?.end()
      think.flush()
    },
  }
}

type ThinkSplitter = ReturnType<typeof createThinkSplitter>

function readLine(turn: Turn, think: ThinkSplitter, line: JsonObject, text: string): void {
  if (turn.closed) return
  if (line.error !== undefined) throw errorEvent(line.error)
  const message = objectAt(line, 'message')
  const thinking = textAt(message, 'thinking')
  if (thinking !== '') addReasoning(turn, reasoningBlock(turn), thinking)
  think.push(textAt(message, 'content'))
  for (const request of listAt(message, 'tool_calls')) {
    if (isObject(request)) readCall(turn, request, { text, value: line })
  }
  if (line.done !== true) return
  think.flush()
  readEnd(turn, line)
}

function reasoningBlock(turn: Turn): ReasoningBlock {
  const known = turn.reasoning[0]
  if (known) return known
  const block: ReasoningBlock = { text: '', signature: null, redacted: false }
  turn.reasoning.push(block)
  return block
}

function readCall(turn: Turn, request: JsonObject, line: ParsedJson): void {
  const { name, arguments: args } = objectAt(request, 'function')
  const call = addCall(turn, textAt(request, 'id') || null, typeof name === 'string' ? name : '')
  call.whole = true
  const text = argumentsIn(line, args)
  if (text !== '') addArguments(turn, call, text)
}

/** No reason is given when the model's process ended early, and `load` or `unload` when nothing was asked of it. */
const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['length', 'length'],
])

function readEnd(turn: Turn, line: JsonObject): void {
  readUsage(turn, line)
  const reason = textAt(line, 'done_reason')
  const known = finishReasons.get(reason)
  if (reason !== '' && !known) throw unknownEnd(reason)
  turn.closed = true
  turn.finishReason = known ?? null
}

/**
 * Reads the usage. The count of the prompt is missing when all of it was cached; the count of the answer is valid all
 * the same.
 */
function readUsage(turn: Turn, line: JsonObject): void {
  const input = countIn(line.prompt_eval_count)
  const output = countIn(line.eval_count)
  if (output === null) return
  const counted = usageOf({ input: input ?? 0, output, cached: 0, cacheWrite: 0, reasoning: 0 })
  turn.usage = { ...counted, estimated: input === null }
}
