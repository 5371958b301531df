import type Anthropic from '@anthropic-ai/sdk'
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema'
import {
  type FilePart,
  filePartsOf,
  userPartsOf,
  withFiles,
} from '@/lib/engines/providers/request/attachments'
import {
  type CacheMarks,
  cacheMarks,
  markedMessages,
} from '@/lib/engines/providers/request/cache-marks'
import {
  createJsonCache,
  createTextCache,
  objectBytes,
} from '@/lib/engines/providers/request/json-value'
import { argumentsObject } from '@/lib/engines/providers/request/tool-schema'
import { wireName } from '@/lib/engines/providers/request/wire-names'
import type { Message, ModelRequest, RequestOptions } from '@/lib/protocol/model/message'
import { thinkingLimits } from '@/lib/protocol/model/model-families'
import { withExtraBody } from '@/lib/protocol/model/own-body-fields'
import { exactJson } from '@/lib/words/json-text'
import { type ClaudeTool, claudeTools } from './claude-tools'

/** Service tiers are whatever the provider calls them. */
type Fields = Omit<
  Anthropic.MessageCreateParamsStreaming,
  'messages' | 'tools' | 'service_tier'
> & {
  service_tier?: string
}
type AssistantMessage = Extract<Message, { role: 'assistant' }>
type ToolMessage = Extract<Message, { role: 'tool' }>
type SpokenMessage = Exclude<Message, ToolMessage>

const spokenBytes = createTextCache(messageText)
const plainBytes = createJsonCache(wireMessageAsText)
const resultBytes = createJsonCache((message: ToolMessage) => toolResult(message, wireId))
/**
 * The results of calls that go back as the provider wrote them. These results name the calls by the provider's own ids.
 */
const nativeResultBytes = createJsonCache((message: ToolMessage) => toolResult(message, ownId))
const plainResultBytes = createTextCache(toolResultAsText)
const toolBytes = createJsonCache(wireTool)

/** Optional features that a model accepts. */
export type AnthropicDialect = { strictTools: boolean }

/**
 * Returns the body of one request as bytes. This API refuses tool turns in a request without tools, so they become text
 * (SPEC R4). It has no temperature, top-p or seed.
 */
export function anthropicBody(
  request: ModelRequest,
  { strictTools }: AnthropicDialect = { strictTools: true },
): Uint8Array {
  const withTools = request.tools.length > 0
  const messages = withTools
    ? turns(request.messages, spokenBytes, resultBytes, nativeResultBytes)
    : turns(request.messages, plainBytes, plainResultBytes, plainResultBytes)
  const tools = claudeTools(request.tools, strictTools).map(toolBytes)
  const marks = cacheMarks(request)
  if (marks.history) markHistory(messages)
  if (marks.prefix && request.system === '' && withTools) markLast(tools)
  const lists = { messages, ...(withTools && { tools }) }
  return withFiles(objectBytes(fields(request, marks), lists), request.messages)
}

const cacheControl = { cache_control: { type: 'ephemeral' as const } }
const markBytes = Buffer.from(`,${JSON.stringify(cacheControl).slice(1, -1)}`)

/** Puts the mark into the last object of bytes that end with it, `closing` and nothing else. */
function withMark(bytes: Buffer, closing: string): Buffer {
  const end = bytes.length - closing.length
  return Buffer.concat([bytes.subarray(0, end), markBytes, bytes.subarray(end)])
}

function markLast(tools: Buffer[]): void {
  const last = tools.at(-1)
  if (last) tools[tools.length - 1] = withMark(last, '}')
}

const userStart = Buffer.from('{"role":"user"')

/** Marks the end of the history. The mark moves with each request, so the cached bytes are stored without it. */
function markHistory(messages: Buffer[]): void {
  const isUser = (index: number) =>
    messages[index]?.subarray(0, userStart.length).equals(userStart) ?? false
  for (const index of markedMessages(messages.length, isUser)) {
    const bytes = messages[index]
    if (bytes) messages[index] = withMark(bytes, '}]}')
  }
}

function fields(request: ModelRequest, marks: CacheMarks): Fields {
  const { modelId, system, parameters } = request
  const body: Fields = { model: modelId, stream: true, ...thinkingLimits(request) }
  if (system !== '') {
    body.system = marks.prefix ? [{ type: 'text', text: system, ...cacheControl }] : system
  }
  if (parameters.stop.length > 0) body.stop_sequences = parameters.stop
  if (!request.options) return body
  const choice = toolChoice(request.options)
  if (choice) body.tool_choice = choice
  const { outputSchema } = request.options
  if (outputSchema !== null) {
    const schema = transformJSONSchema(outputSchema)
    body.output_config = { ...body.output_config, format: { type: 'json_schema', schema } }
  }
  const { serviceTier, extraBody } = request.options
  const tier = serviceTier === null ? {} : { service_tier: serviceTier }
  return withExtraBody('anthropic', { ...body, ...tier }, extraBody)
}

/** Returns the tool choice, which here includes "one call at a time". */
function toolChoice({
  toolChoice: choice,
  parallelToolCalls,
}: RequestOptions): Anthropic.ToolChoice | null {
  if (choice === 'none') return { type: 'none' }
  if (choice === null && parallelToolCalls === null) return null
  const calls = parallelToolCalls === null ? {} : { disable_parallel_tool_use: !parallelToolCalls }
  if (choice !== null && typeof choice === 'object') {
    return { type: 'tool', name: choice.tool, ...calls }
  }
  return { type: choice === 'required' ? 'any' : 'auto', ...calls }
}

function wireTool({ tool, parameters, strict }: ClaudeTool): Anthropic.Tool {
  const { name, description } = tool
  return { name, description, input_schema: parameters, ...(strict && { strict }) }
}

/** Returns the messages. All results of a round must be in one message of the user. */
function turns(
  messages: readonly Message[],
  bytesOf: (message: SpokenMessage) => Buffer,
  resultOf: (message: ToolMessage) => Buffer,
  nativeResultOf: (message: ToolMessage) => Buffer,
): Buffer[] {
  const whole: Buffer[] = []
  let results: Buffer[] = []
  let isNative = false
  const flush = () => {
    if (results.length > 0) whole.push(objectBytes({ role: 'user' }, { content: results }))
    results = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(isNative ? nativeResultOf(message) : resultOf(message))
    } else {
      flush()
      isNative = message.role === 'assistant' && message.native !== undefined
      whole.push(bytesOf(message))
    }
  }
  flush()
  return whole
}

/** Returns the content of a message as text. What the provider wrote is sent back byte for byte (SPEC R15c). */
function messageText(message: SpokenMessage): string {
  if (message.role === 'assistant' && message.native !== undefined) {
    return `{"role":"assistant","content":${message.native}}`
  }
  return exactJson(wireMessage(message))
}

function wireMessage(message: SpokenMessage): Anthropic.MessageParam {
  if (message.role === 'user') {
    const { parts, text } = userPartsOf(message)
    return {
      role: 'user',
      content: [...parts.map(fileBlock), { type: 'text', text: spoken(text) }],
    }
  }
  return { role: 'assistant', content: assistantBlocks(message) }
}

type FileBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam

function fileBlock(part: FilePart): FileBlock {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: spoken(part.text) }
    case 'image':
      return {
        type: 'image',
        source: { type: 'base64', media_type: part.type, data: part.base64 },
      }
    case 'pdf':
      return {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: part.base64 },
        title: part.name,
      }
    default:
      return part satisfies never
  }
}

function toolResult(
  message: ToolMessage,
  idOf: (id: string) => string,
): Anthropic.ToolResultBlockParam {
  return {
    type: 'tool_result',
    tool_use_id: idOf(message.providerCallId),
    content: message.attachments
      ? [{ type: 'text', text: spoken(message.content) }, ...filePartsOf(message).map(fileBlock)]
      : message.content,
    ...(message.isError ? { is_error: true } : {}),
  }
}

/**
 * Returns the portable form. Reasoning is not in it, because it is signed or encrypted for the account that asked (SPEC
 * R15c).
 */
export function assistantBlocks(
  message: Pick<AssistantMessage, 'text' | 'toolCalls'>,
): Anthropic.ContentBlockParam[] {
  const blocks: Anthropic.ContentBlockParam[] = []
  if (message.text.trim() !== '') blocks.push({ type: 'text', text: message.text })
  for (const call of message.toolCalls) {
    blocks.push({
      type: 'tool_use',
      id: wireId(call.providerCallId),
      name: wireName(call.name),
      input: argumentsObject(call.argumentsText),
    })
  }
  return blocks.length > 0 ? blocks : [{ type: 'text', text: spoken(message.text) }]
}

function wireMessageAsText(message: SpokenMessage): Anthropic.MessageParam {
  if (message.role === 'user') return wireMessage(message)
  return { role: message.role, content: spoken(assistantAsText(message)) }
}

/** Returns the blocks of a result without their brackets. */
function toolResultAsText(message: ToolMessage): string {
  const { name, content, isError } = message
  const text = `[${isError ? 'Error' : 'Result'} of ${name}]\n${content}`
  const blocks: FileBlock[] = [{ type: 'text', text }, ...filePartsOf(message).map(fileBlock)]
  return JSON.stringify(blocks).slice(1, -1)
}

function assistantAsText({ text, toolCalls }: AssistantMessage): string {
  const callLines = toolCalls.map((call) => `[Asked for ${call.name} with ${call.argumentsText}]`)
  return [text.trim(), ...callLines].filter((part) => part !== '').join('\n')
}

/** Returns the text as a block, or nothing for blank text, which the API refuses. */
function spoken(text: string): string {
  return text.trim() === '' ? '(empty)' : text
}

/** Returns an id as this wire takes it. Ids of another wire may hold characters that this one refuses. */
function wireId(id: string): string {
  return id.replace(/[^\w-]/g, '_')
}

function ownId(id: string): string {
  return id
}
