import type OpenAI from 'openai'
import { cacheBreakpoint, openAiCaching } from '@/lib/engines/providers/openai/openai-caching'
import {
  dataUrl,
  type FilePart,
  imagesAfterResults,
  userPartsOf,
  withFiles,
} from '@/lib/engines/providers/request/attachments'
import { type BodyMaker, freshBody } from '@/lib/engines/providers/request/growing-body'
import type { JsonObject } from '@/lib/engines/providers/request/json-value'
import {
  bodyParts,
  createJsonCache,
  createTextCache,
} from '@/lib/engines/providers/request/json-value'
import {
  argumentsJson,
  strictSchema,
  toolParameters,
} from '@/lib/engines/providers/request/tool-schema'
import { mistralId, shortId, wireName } from '@/lib/engines/providers/request/wire-names'
import type {
  Message,
  ModelRequest,
  ReasoningBlock,
  RequestOptions,
} from '@/lib/protocol/model/message'
import { isMistral } from '@/lib/protocol/model/model-ids'
import { withExtraBody } from '@/lib/protocol/model/own-body-fields'
import type { ToolSpec } from '@/lib/protocol/tool'

/** Differences between the servers that speak this API type. */
export type ChatDialect = {
  maxTokensField: 'max_completion_tokens' | 'max_tokens'
  includeUsage: boolean
  /** True = with tools the model is asked not to think. */
  noEffortWithTools?: boolean
  /** True = results are followed by words of the model, and not by a message of the user. */
  answersResults?: boolean
  /** Format of call ids that the server requires; left out: any. */
  callIds?: 'openai' | 'mistral'
  /** True = it may be told what to cache. */
  cacheOptions?: boolean
  /** True = it may be told to keep to the schemas of tools. */
  strictTools?: boolean
}

type WireMessage = OpenAI.ChatCompletionMessageParam
type WireTool = OpenAI.ChatCompletionFunctionTool
/** Service tiers are whatever the server calls them. */
type Fields = Omit<
  OpenAI.ChatCompletionCreateParamsStreaming,
  'messages' | 'tools' | 'service_tier'
> & { service_tier?: string }

const longestOpenAiId = 40

/** Messages with the ids of calls as they came, and as some servers take them. */
const messageBytes = {
  own: createTextCache((message: Message) => messageText(message, (id) => id)),
  openai: createTextCache((message: Message) =>
    messageText(message, (id) => shortId(id, longestOpenAiId)),
  ),
  mistral: createTextCache((message: Message) => messageText(message, mistralId)),
}
const looseTool = createJsonCache((tool: ToolSpec) => wireTool(tool, false))
const strictTool = createJsonCache((tool: ToolSpec) => wireTool(tool, true))

/** Returns the body of one request as bytes. Parameters that are not set are not sent. */
export function chatCompletionsBody(
  request: ModelRequest,
  dialect: ChatDialect,
  make: BodyMaker = freshBody,
): Uint8Array {
  const caching = dialect.cacheOptions ? openAiCaching(request) : null
  const marked = [{ type: 'text' as const, text: request.system, ...cacheBreakpoint }]
  const content = caching?.marksSystem ? marked : request.system
  const system: WireMessage = { role: 'system', content }
  const ids = isMistral(request.modelId) ? 'mistral' : (dialect.callIds ?? 'own')
  const messages = bytesOf(imagesAfterResults(request.messages, dialect), messageBytes[ids])
  const first = request.system === '' ? '' : JSON.stringify(system)
  const tools = request.tools.map(dialect.strictTools ? strictTool : looseTool)
  const more: [string, Buffer[]][] = tools.length > 0 ? [['tools', tools]] : []
  const body = { ...fields(request, dialect), ...caching?.fields }
  const parts = bodyParts(body, [['messages', messages], ...more], first)
  return withFiles(make(parts), request.messages)
}

/** Returns the messages as bytes. The results of an answer that goes back as it came name its calls as they came, too. */
function bytesOf(messages: readonly Message[], legal: (message: Message) => Buffer): Buffer[] {
  let isNative = false
  return messages.map((message) => {
    if (message.role === 'assistant') isNative = message.native !== undefined
    return message.role === 'tool' && isNative ? messageBytes.own(message) : legal(message)
  })
}

function fields(request: ModelRequest, dialect: ChatDialect): Fields {
  const { modelId, parameters, options, tools } = request
  const body: Fields = { model: modelId, stream: true }
  if (dialect.includeUsage) body.stream_options = { include_usage: true }
  if (parameters.temperature !== null) body.temperature = parameters.temperature
  if (parameters.topP !== null) body.top_p = parameters.topP
  if (parameters.maxOutputTokens !== null) body[dialect.maxTokensField] = parameters.maxOutputTokens
  if (parameters.stop.length > 0) body.stop = parameters.stop
  if (parameters.seed !== null) body.seed = parameters.seed
  if (parameters.reasoningEffort !== null) body.reasoning_effort = parameters.reasoningEffort
  if (dialect.noEffortWithTools && tools.length > 0) body.reasoning_effort = 'none'
  if (!options) return body
  if (options.verbosity !== null) body.verbosity = options.verbosity
  if (options.toolChoice !== null) body.tool_choice = wireToolChoice(options.toolChoice)
  if (options.parallelToolCalls !== null) body.parallel_tool_calls = options.parallelToolCalls
  if (options.outputSchema !== null) body.response_format = answerFormat(options.outputSchema)
  const { serviceTier, extraBody } = options
  const tier = serviceTier === null ? {} : { service_tier: serviceTier }
  return withExtraBody('openai-compatible', { ...body, ...tier }, extraBody)
}

function answerFormat(schema: JsonObject): Fields['response_format'] {
  const strict = strictSchema(schema)
  const json_schema = { name: 'answer', schema: strict ?? schema, strict: strict !== null }
  return { type: 'json_schema', json_schema }
}

function wireToolChoice(
  choice: NonNullable<RequestOptions['toolChoice']>,
): OpenAI.ChatCompletionToolChoiceOption {
  if (typeof choice === 'string') return choice
  return { type: 'function', function: { name: choice.tool } }
}

function wireTool(tool: ToolSpec, mayBeStrict: boolean): WireTool {
  const { name, description } = tool
  const parameters = toolParameters(tool)
  const strict = mayBeStrict ? strictSchema(parameters) : null
  const schema = strict === null ? { parameters } : { parameters: strict, strict: true }
  return { type: 'function', function: { name, description, ...schema } }
}

/** Returns a message as text. What the provider wrote is sent back byte for byte (SPEC R15c). */
function messageText(message: Message, idOf: (id: string) => string): string {
  if (message.role === 'assistant' && message.native !== undefined) return message.native
  return JSON.stringify(wireMessage(message, idOf))
}

function wireMessage(message: Message, idOf: (id: string) => string): WireMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: userContent(message) }
    case 'tool':
      return { role: 'tool', tool_call_id: idOf(message.providerCallId), content: message.content }
    case 'assistant':
      return wireAssistant(message, idOf)
    default:
      return message satisfies never
  }
}

function userContent(
  message: Extract<Message, { role: 'user' }>,
): string | OpenAI.ChatCompletionContentPart[] {
  const { parts, text } = userPartsOf(message)
  return parts.length > 0 ? [...parts.map(contentPart), { type: 'text', text }] : text
}

function contentPart(part: FilePart): OpenAI.ChatCompletionContentPart {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: { url: dataUrl(part.type, part.base64) } }
    case 'pdf': {
      const file_data = dataUrl('application/pdf', part.base64)
      return { type: 'file', file: { filename: part.name, file_data } }
    }
    default:
      return part satisfies never
  }
}

function wireAssistant(
  message: Extract<Message, { role: 'assistant' }>,
  idOf: (id: string) => string,
): WireMessage {
  if (message.toolCalls.length === 0) return { role: 'assistant', content: message.text }
  return {
    role: 'assistant',
    content: message.text === '' ? null : message.text,
    ...reasoningFields(message.reasoning),
    tool_calls: message.toolCalls.map((call) => ({
      id: idOf(call.providerCallId),
      type: 'function',
      function: { name: wireName(call.name), arguments: argumentsJson(call.argumentsText) },
    })),
  }
}

/** The fields servers send reasoning in. */
export const reasoningFieldNames = ['reasoning_content', 'reasoning', 'thinking'] as const
type ReasoningField = (typeof reasoningFieldNames)[number]

/**
 * Returns the field in which a reasoning text arrived, from its signature. The text is sent back only in that field.
 */
export function reasoningSignature(field: ReasoningField): string {
  return `field:${field}`
}

/**
 * Returns reasoning in the fields in which it came. Servers that send it with tool calls refuse the next request without
 * it; others never see the field.
 */
export function reasoningFields(reasoning: readonly ReasoningBlock[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const field of reasoningFieldNames) {
    const blocks = reasoning.filter((block) => block.signature === reasoningSignature(field))
    if (blocks.length > 0) fields[field] = blocks.map((block) => block.text).join('')
  }
  return fields
}
