import { type RunStep, recordCallEnd, warn } from '@/lib/engines/runtime/run-step'
import {
  type AskFault,
  callTag,
  closeTag,
  type ModelEvent,
  type ModelFinish,
  openTag,
  unreadableName,
  type WireToolCall,
} from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { faultWords } from '@/lib/protocol/model/model-text'
import { defaultOptions } from '@/lib/protocol/parameters/parameters'
import type { RoundView } from '@/lib/protocol/run/round-view'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { Outcome, ToolSpec } from '@/lib/protocol/tool'
import { canonicalJson, exactText, nestedTooDeeply, unfenced } from '@/lib/words/json-text'

/**
 * Returns whether this model asks for tools in text (SPEC W). With `auto`: when it is known to have no tool calling; an
 * untested model uses that of its provider (ADR 018).
 */
export function asksInText(
  { toolMode }: Pick<RunSnapshot, 'toolMode'>,
  { toolCalling }: Pick<ModelTarget, 'toolCalling'>,
): boolean {
  return toolMode === 'prompted' || (toolMode === 'auto' && toolCalling === 'unsupported')
}

const toolLines = new WeakMap<ToolSpec, string>()

/** Returns one tool as a line of JSON with sorted keys: the same bytes in every request. */
function toolLine(tool: ToolSpec): string {
  const known = toolLines.get(tool)
  if (known !== undefined) return known
  const { name, description, parameters } = tool
  const { $schema: _dialect, ...schema } = parameters
  const line = `{"name":${JSON.stringify(name)},"description":${JSON.stringify(description)},"parameters":${canonicalJson(JSON.stringify(schema))}}`
  toolLines.set(tool, line)
  return line
}

/**
 * Returns the text about tools in the system prompt of a model in prompted mode. Without tools, it says that none are
 * left, for an answer after results.
 */
export function toolInstructions(
  tools: readonly ToolSpec[],
  { options, hopBudget }: RunSnapshot,
): string {
  if (tools.length === 0) return 'No tool is available now. Answer without asking for one.'
  const hops = hopBudget ?? (options ?? defaultOptions).promptedHops
  return [
    'You can ask for the tools listed below. To ask for one, write this and nothing after it:',
    '<tool_call>{"name":"NAME","args":{}}</tool_call>',
    'NAME is the name of one tool of the list, and "args" is one JSON object that fits the schema of its parameters.',
    'Ask for one tool at a time: only the first request of an answer counts.',
    'The result is the next message, between <tool_result name="NAME"> and </tool_result>. Never write these tags yourself.',
    `You may ask ${hops === 1 ? 'once' : `${hops} times`}. When you need no tool, answer without <tool_call>.`,
    'The tools, one in each line:',
    ...tools.map(toolLine),
  ].join('\n')
}

/** Ends a call that was requested in text and cannot be read. Returns true when it did. */
export function refuseInText(step: RunStep, round: RoundView): boolean {
  const { inText } = round
  const call = round.calls.find(({ state }) => state.type !== 'ended')
  if (!inText || !call || inText.fault === null) return false
  const outcome: Outcome = { type: 'invalid-arguments', issues: [faultWords[inText.fault]] }
  recordCallEnd(step, call, { verdict: { allowed: true }, outcome }, step.deps.now())
  return true
}

/** Warns people and the model that only the first request of an answer counts. */
export function warnOfFurtherCalls(step: RunStep, round: number): void {
  const message =
    'The model asked for more than one tool in one answer. Only the first request counts; the others were ignored.'
  warn(step, { round, code: 'one-request-in-text', message, tellModel: true })
}

/** A code fence that a model opened around its request, or white space in front of it. */
const fenceBefore = /\s*`{3}[\w-]{0,20}\s*$|\s+$/
/** The end of a text that may become such a fence. */
const mayBeFence = /\s*`{1,3}[\w-]{0,20}\s*$|\s+$/
/** Number of characters at the end of a text that may be the start of a fence. */
const longestFence = 64

/**
 * Converts a stream in which tools are requested in text (SPEC W), on any wire: text before the request streams as
 * text, the request becomes a call, and what follows it is hidden. Reasoning passes unchanged. The finish is parsed
 * again as a whole, because the boundaries of deltas mean nothing.
 */
export async function* readTextCalls(
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  const stream = askStream()
  for await (const event of events) {
    if (event.type === 'text-delta') yield* stream.push(event.text)
    else if (event.type === 'tool-call-delta') {
      // The server parsed the tags itself. Only the first call counts here, too.
      if (event.index === 0) yield event
    } else if (event.type === 'finish') {
      yield* stream.end()
      yield readFinish(event)
    } else yield event
  }
}

function askStream() {
  let state: 'before' | 'inside' | 'after' = 'before'
  let held = ''

  function* readBefore(): Generator<ModelEvent> {
    const at = held.indexOf(openTag)
    const end = at === -1 ? heldFrom(held) : withoutFence(held.slice(0, at)).length
    if (end > 0) yield { type: 'text-delta', text: held.slice(0, end) }
    held = held.slice(at === -1 ? end : at + openTag.length)
    if (at === -1) return
    state = 'inside'
    yield* readInside()
  }

  function* readInside(): Generator<ModelEvent> {
    const at = held.indexOf(closeTag)
    const end = at === -1 ? held.length - partOf(closeTag, held) : at
    if (end > 0) {
      yield { type: 'tool-call-delta', index: 0, name: '', argumentsText: held.slice(0, end) }
    }
    held = at === -1 ? held.slice(end) : ''
    if (at !== -1) state = 'after'
  }

  return {
    *push(text: string): Generator<ModelEvent> {
      if (state === 'after') return
      held += text
      yield* state === 'before' ? readBefore() : readInside()
    },
    *end(): Generator<ModelEvent> {
      if (held === '' || state === 'after') return
      if (state === 'before') yield { type: 'text-delta', text: held }
      else yield { type: 'tool-call-delta', index: 0, name: '', argumentsText: held }
    },
  }
}

/** Returns where a possible fence, tag, or white space before one begins at the end of a text. */
function heldFrom(text: string): number {
  const partial = text.length - partOf(openTag, text)
  const from = Math.max(0, partial - longestFence)
  const fence = mayBeFence.exec(text.slice(from, partial))
  return fence ? from + fence.index : partial
}

/** Returns how many characters at the end of a text may begin a tag. */
function partOf(tag: string, text: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length
  }
  return 0
}

function withoutFence(text: string): string {
  const from = Math.max(0, text.length - longestFence)
  const fence = fenceBefore.exec(text.slice(from))
  return fence ? text.slice(0, from + fence.index) : text
}

/**
 * Returns a finished answer with its request as a call. A request counts only in an answer that ended normally (SPEC
 * R10); otherwise only the text before it stays.
 */
function readFinish(finish: ModelFinish): ModelFinish {
  const { text, toolCalls, finishReason } = finish
  const at = text.indexOf(openTag)
  if (at === -1) return toolCalls.length > 0 ? asIfInText(finish, text, '') : finish
  const before = withoutFence(text.slice(0, at))
  if (finishReason !== 'stop' && finishReason !== 'tool-calls') {
    return { ...finish, text: before, toolCalls: [] }
  }
  const close = text.indexOf(closeTag, at)
  const end = close === -1 ? text.length : close + closeTag.length
  const after = text.slice(end)
  // A server that parses the tags removes them, so the remaining one is the request of the model.
  if (toolCalls.length > 0) return asIfInText(finish, before, after)
  const inside = text.slice(at + openTag.length, close === -1 ? text.length : close)
  const { call, fault } = readCall(inside, close !== -1)
  const inText = { tag: text.slice(before.length, end), after, fault }
  return { ...finish, finishReason: 'tool-calls', text: before, toolCalls: [call], inText }
}

/** Returns the first call that a server parsed, as text of the prompted mode. */
function asIfInText(finish: ModelFinish, text: string, after: string): ModelFinish {
  const { native: _, ...portable } = finish
  const [call] = finish.toolCalls
  if (!call) return finish
  const tag = `${text === '' ? '' : '\n'}${callTag(call)}`
  return {
    ...portable,
    text,
    toolCalls: [{ ...call, id: null }],
    inText: { tag, after, fault: null },
  }
}

type ReadCall = { call: WireToolCall; fault: AskFault | null }

const fields = new Set(['name', 'args', 'arguments'])

/** Parses the text between the tags as strictly as arguments: nothing is repaired (SPEC R11). */
function readCall(inside: string, isClosed: boolean): ReadCall {
  const json = unfenced(inside.trim())
  const faulty = (fault: AskFault, name = unreadableName): ReadCall => ({
    call: { id: null, name, argumentsText: json },
    fault,
  })
  if (!isClosed) return faulty('unclosed_tag')
  const value = nestedTooDeeply(json) ? undefined : parsed(json)
  if (value === undefined) return faulty('bad_json')
  if (!isObject(value)) return faulty('not_an_object')
  const { name } = value
  if (typeof name !== 'string' || name.trim() === '') return faulty('missing_name')
  // Models that were trained on such tags write `arguments`. Ignoring it would lose the arguments of the call.
  const isKnown = Object.keys(value).every((field) => fields.has(field))
  if (!isKnown || ('args' in value && 'arguments' in value)) return faulty('unknown_field', name)
  const args = value.args ?? value.arguments
  if (args === undefined && !('args' in value || 'arguments' in value)) {
    return { call: { id: null, name, argumentsText: '{}' }, fault: null }
  }
  if (!isObject(args)) return faulty('arguments_not_an_object', name)
  const argumentsText = exactText(args, { text: json, value })
  return { call: { id: null, name, argumentsText }, fault: null }
}

/** Returns undefined for text that is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
