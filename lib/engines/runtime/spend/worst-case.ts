import type { InputReport } from '@/lib/engines/runtime/ask/fit-context'
import { type Message, type ModelRequest, offeredIn } from '@/lib/protocol/model/message'
import { thinkingTokens } from '@/lib/protocol/model/model-families'
import { hasClaudeLimits } from '@/lib/protocol/model/model-ids'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { ModelParameters } from '@/lib/protocol/parameters/parameters'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { ToolSpec } from '@/lib/protocol/tool'
import {
  attachmentsOf,
  byteCounter,
  counterOf,
  mostFileTokens,
  type TokenCounter,
  textsOf,
} from './count-tokens'

/** Tokens that wires and model templates add to a request, its tools, each tool, each message and each call. */
const around = { request: 256, tools: 768, tool: 32, message: 12, call: 24 }
/** Tokens of the note that earlier rounds were left out. */
const newWords = 64

type Asked = {
  target: ModelTarget
  index: number
  request: ModelRequest
  contextTokens: number
  report: InputReport | null
}

/**
 * Returns the most tokens that the provider can count of this request (SPEC M2). Where it has reported what an earlier
 * request of this run had, only what is new since then is bounded. Never more than the window takes.
 */
export async function inputBound(
  state: RunState,
  { target, index, request, contextTokens, report }: Asked,
): Promise<number> {
  const exceeded = wasExceeded(state, index)
  const counter = exceeded ? byteCounter : await counterOf(target)
  const most =
    boundSince(request, target, { report, counter }) ??
    wholeBound(request, target, { counter, exceeded })
  const window = target.contextTokens ?? Number.POSITIVE_INFINITY
  return Math.max(contextTokens, Math.min(most, window))
}

/**
 * Returns whether the provider counted more than was reserved: its model has another tokenizer than its name says, or
 * it reads more in a PDF than was measured.
 */
function wasExceeded({ rounds }: RunState, index: number): boolean {
  return rounds.some(
    ({ response, worst }) =>
      response?.target === index &&
      !response.usage.estimated &&
      worst !== undefined &&
      response.usage.inputTokens > worst.inputTokens,
  )
}

function wholeBound(
  { system, messages, options, ...request }: ModelRequest,
  target: ModelTarget,
  { counter, exceeded }: { counter: TokenCounter; exceeded: boolean },
): number {
  const tools = [...request.tools, ...(request.toolsBefore ?? [])]
  const further = [options?.outputSchema, options?.extraBody].filter((part) => part)
  const offer = tools.reduce((sum, tool) => sum + toolBound(tool, counter), 0)
  return (
    around.request +
    counter.count(system + further.map((part) => JSON.stringify(part)).join('')) +
    (tools.length > 0 ? around.tools + offer : 0) +
    messages.reduce(
      (sum, message) =>
        sum + wholeMessageBound(message, counter) + fileBound(message, target, exceeded),
      0,
    )
  )
}

function fileBound(message: Message, target: ModelTarget, exceeded: boolean): number {
  const files = attachmentsOf(message)
  return mostFileTokens(exceeded ? files.map(({ pages: _, ...file }) => file) : files, target)
}

/** Returns an upper bound for a message. A native answer may have more than its portable form. */
function wholeMessageBound(message: Message, counter: TokenCounter): number {
  const portable = messageBound(message, counter)
  if (message.role !== 'assistant' || message.native === undefined) return portable
  return Math.max(portable, around.message + counter.count(message.native))
}

/**
 * Returns the reported figure plus what is new since then. Each round begins with one message of the model; hidden
 * reasoning may be sent back with it, so it counts at least the reported output. Null when more has changed than that.
 */
function boundSince(
  request: ModelRequest,
  target: ModelTarget,
  { report, counter }: { report: InputReport | null; counter: TokenCounter },
): number | null {
  const { messages } = request
  const tools = offeredIn(request)
  const sent = [...tools, ...(request.toolsBefore ?? [])]
  if (!report || sent.some((tool) => !report.offered.includes(tool.name))) return null
  const answers = messages.flatMap(({ role }, place) => (role === 'assistant' ? [place] : []))
  const first = answers.at(-report.since.length)
  if (first === undefined || answers.length < report.since.length) return null
  const fresh = messages.slice(first)
  const written = report.since.map(({ response }) => response?.usage.outputTokens ?? 0)
  const bounds = fresh.map((message) => {
    const said = messageBound(message, counter) + mostFileTokens(attachmentsOf(message), target)
    return message.role === 'assistant'
      ? Math.max(said, around.message + (written.shift() ?? 0))
      : said
  })
  // Without tools, wires that require tools with calls get those calls as text, and others send the output schema then.
  const isBare = tools.length < report.offered.length
  const schema = (isBare && request.options?.outputSchema) || null
  const retold = isBare ? around.call * messages.length : 0
  const form = schema ? counter.count(JSON.stringify(schema)) : 0
  return (
    report.inputTokens + newWords + retold + form + bounds.reduce((sum, tokens) => sum + tokens, 0)
  )
}

function messageBound(message: Message, counter: TokenCounter): number {
  let tokens = counter.messages.get(message)
  if (tokens === undefined) {
    const calls = message.role === 'assistant' ? message.toolCalls.length : 1
    const said = textsOf(message).reduce((sum, text) => sum + counter.count(text), 0)
    // The images of results may follow in two messages of their own.
    const sent = message.role === 'tool' && message.attachments ? 3 : 1
    tokens = sent * around.message + calls * around.call + said
    counter.messages.set(message, tokens)
  }
  return tokens
}

function toolBound(tool: ToolSpec, counter: TokenCounter): number {
  let tokens = counter.tools.get(tool)
  if (tokens === undefined) {
    const { name, description, parameters } = tool
    tokens = around.tool + counter.count(JSON.stringify({ name, description, parameters }))
    counter.tools.set(tool, tokens)
  }
  return tokens
}

/** The output limit when neither the configuration nor the model has one: the highest default of a wire. */
const unknownOutputTokens = 8_192

/**
 * Returns the most tokens an answer to a request of `contextTokens` can have: limits first, then the room in the
 * window. Requests to Claude send their limit, so the estimated room does not count there. `parameters` are those that
 * are sent.
 */
export function worstOutputTokens(
  target: ModelTarget,
  { maxOutputTokens, reasoningEffort }: ModelParameters,
  contextTokens: number,
): number {
  const answer = maxOutputTokens ?? target.maxOutputTokens ?? unknownOutputTokens
  const isClaude = hasClaudeLimits(target)
  const thinking = isClaude && reasoningEffort ? thinkingTokens[reasoningEffort] : 0
  const most = target.maxOutputTokens ?? Number.POSITIVE_INFINITY
  const window = (isClaude ? null : target.contextTokens) ?? Number.POSITIVE_INFINITY
  const room = window - contextTokens
  return Math.max(1, Math.min(answer + thinking, most, room))
}
