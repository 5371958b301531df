import { randomUUID } from 'node:crypto'
import { EndFailure, WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { eventReader } from '@/lib/engines/providers/http/read-events'
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
import { wireName } from '@/lib/engines/providers/request/wire-names'
import type { WireReader } from '@/lib/engines/providers/turn/stream-turn'
import { countIn, servedTier, usageOf } from '@/lib/engines/providers/turn/token-count'
import {
  addArguments,
  addCall,
  addReasoning,
  addText,
  endTurn,
  type Turn,
  unknownEnd,
} from '@/lib/engines/providers/turn/turn'
import type { FinishReason, ModelFinish, ReasoningBlock } from '@/lib/protocol/model/message'
import { cleanText } from '@/lib/words/clean-text'
import { exactJson, type ParsedJson } from '@/lib/words/json-text'
import { ownIdPrefix, portableParts } from './gemini-request'

type Reading = {
  turn: Turn
  /** The event that is being read. */
  event: ParsedJson
  parts: JsonObject[]
  thought: ReasoningBlock | null
}

/**
 * Reads a `streamGenerateContent` answer into a turn: each event is a whole small answer, and the last one says how it
 * ended. Calls come whole.
 */
export function readGemini(turn: Turn): WireReader {
  const reading: Reading = { turn, event: { text: '', value: {} }, parts: [], thought: null }
  turn.nativeInOrder = true
  turn.native = (finish) => nativeParts(reading.parts, finish)
  return eventReader({
    turn,
    count: (answer) => {
      count(turn, answer)
    },
    event: ({ data }) => {
      if (data.trim() !== '') readAnswer(reading, eventObject(data), data)
    },
    rest: ({ data }) => {
      const whole = parseObject(data)
      if (whole) readAnswer(reading, whole, data)
    },
    whole: (answer, text) => readAnswer(reading, answer, text),
  })
}

function readAnswer(reading: Reading, answer: JsonObject, text: string): void {
  const { turn } = reading
  if (turn.closed) return
  reading.event = { text, value: answer }
  readContent(reading, answer)
  const isCounted = count(turn, answer)
  turn.closed = turn.finishReason !== null && isCounted
}

function count(turn: Turn, answer: JsonObject): boolean {
  return readUsage(turn, objectAt(answer, 'usageMetadata'), endsWith(answer))
}

function readContent(reading: Reading, answer: JsonObject): void {
  const { turn } = reading
  if (isObject(answer.error)) throw errorEvent(answer.error)
  for (const candidate of firstCandidates(answer)) {
    for (const part of listAt(objectAt(candidate, 'content'), 'parts')) {
      if (isObject(part)) readPart(reading, part)
    }
    readFinishReason(turn, textAt(candidate, 'finishReason'))
  }
  // A prompt that was refused has no candidates.
  if (textAt(objectAt(answer, 'promptFeedback'), 'blockReason') !== '') {
    endTurn(turn, 'content-filter')
  }
}

function firstCandidates(answer: JsonObject): JsonObject[] {
  return listAt(answer, 'candidates')
    .filter(isObject)
    .filter((candidate) => (candidate.index ?? 0) === 0)
}

/** Returns whether an event says how the answer ended, whatever it says. */
function endsWith(answer: JsonObject): boolean {
  return firstCandidates(answer).some((candidate) => textAt(candidate, 'finishReason') !== '')
}

/** Only these words mean that an answer is whole, or where it was broken off. */
const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['LANGUAGE', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
])

const malformed = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
])

function readFinishReason(turn: Turn, reason: string): void {
  if (reason === '') return
  if (malformed.has(reason)) {
    throw new EndFailure(
      'invalid-response',
      'The model wrote a tool call that Google could not read. Nothing of it was run. Try again, or pick another model.',
      { reason },
    )
  }
  const known = finishReasons.get(reason)
  if (!known) throw unknownEnd(reason)
  endTurn(turn, known)
}

function readPart(reading: Reading, part: JsonObject): void {
  const { turn } = reading
  if (isObject(part.functionCall)) readCall(reading, part, part.functionCall)
  else if (typeof part.text === 'string' && part.thought === true) {
    reading.thought ??= startThought(turn)
    addReasoning(turn, reading.thought, part.text)
    keep(reading, part)
  } else if (typeof part.text === 'string') {
    reading.thought = null
    addText(turn, part.text)
    keep(reading, part)
  } else if (typeof part.thoughtSignature === 'string') keep(reading, part)
  else throw notRun(part)
}

function startThought(turn: Turn): ReasoningBlock {
  const block: ReasoningBlock = { text: '', signature: null, redacted: false }
  turn.reasoning.push(block)
  return block
}

function readCall(reading: Reading, part: JsonObject, request: JsonObject): void {
  const { turn } = reading
  // Arguments in pieces come only to who asked for them.
  if (request.willContinue === true || request.partialArgs !== undefined) throw notRun(part)
  reading.thought = null
  // Without an id a call could not be told from another one; the signature beside it must go back all the same.
  const id = textAt(request, 'id') || `${ownIdPrefix}${randomUUID()}`
  const call = addCall(turn, id, textAt(request, 'name'))
  call.whole = true
  const text = argumentsIn(reading.event, request.args)
  if (text !== '') addArguments(turn, call, text)
  keep(reading, { ...part, functionCall: { ...request, name: wireName(call.name) } })
}

/** Keeps a part. Pieces of one text become one part; a signature stays on the part that it came with. */
function keep({ parts }: Reading, part: JsonObject): void {
  const last = parts.at(-1)
  if (last && isPlainText(last) && isPlainText(part) && last.thought === part.thought) {
    last.text = `${last.text}${part.text}`
  } else parts.push({ ...part })
}

function isPlainText(part: JsonObject): boolean {
  return Object.keys(part).every((key) => key === 'text' || key === 'thought')
}

/**
 * Returns the parts of an answer as JSON text, in the order in which they arrived; null when the portable form has all
 * of it.
 */
function nativeParts(parts: readonly JsonObject[], finish: ModelFinish): string | null {
  const kept = parts.filter((part) => part.text !== '' || part.thoughtSignature !== undefined)
  const native = exactJson(kept)
  const portable = portableParts({
    text: cleanText(finish.text),
    toolCalls: finish.toolCalls.map((call) => ({
      ...call,
      callId: '',
      providerCallId: call.id ?? '',
    })),
  })
  return native === '[]' || native === exactJson(portable) ? null : native
}

/**
 * Returns the failure for a part that Toolgate does not run: code that Google ran, files, and kinds newer than this
 * code.
 */
function notRun(part: JsonObject): WireFailure {
  const [kind = 'nothing'] = Object.keys(part).filter((key) => isObject(part[key]))
  return new WireFailure(
    'invalid-response',
    `The model answered with “${kind.slice(0, 60)}”, which Toolgate does not run. Nothing of it was run. Remove what asks for it from the configuration's further fields, or pick another model.`,
    { part },
  )
}

/**
 * Reads the usage. Reasoning is counted in addition to the answer; cached input is part of the prompt. True = both
 * counts are there.
 */
function readUsage(turn: Turn, usage: JsonObject, ends: boolean): boolean {
  const prompt = countIn(usage.promptTokenCount)
  if (prompt === null) return false
  const answered = countIn(usage.candidatesTokenCount)
  const thought = countIn(usage.thoughtsTokenCount) ?? 0
  const counted = usageOf({
    input: prompt + (countIn(usage.toolUsePromptTokenCount) ?? 0),
    output: (answered ?? 0) + thought,
    cached: countIn(usage.cachedContentTokenCount) ?? 0,
    cacheWrite: 0,
    reasoning: thought,
  })
  const isWhole = (ends || turn.finishReason !== null) && (answered !== null || turn.text === '')
  const tier = servedTier(usage.serviceTier)
  turn.usage = { ...counted, ...tier, estimated: counted.estimated || !isWhole }
  return true
}
