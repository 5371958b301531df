import { createHash } from 'node:crypto'
import type OpenAI from 'openai'
import {
  dataUrl,
  type FilePart,
  filePartsOf,
  userPartsOf,
  withFiles,
} from '@/lib/engines/providers/request/attachments'
import { type BodyMaker, freshBody } from '@/lib/engines/providers/request/growing-body'
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
import { wireName } from '@/lib/engines/providers/request/wire-names'
import type { Message, ModelRequest } from '@/lib/protocol/model/message'
import { withExtraBody } from '@/lib/protocol/model/own-body-fields'
import type { ToolSpec } from '@/lib/protocol/tool'
import { cacheBreakpoint, openAiCaching } from './openai-caching'

/** Optional features that a model turned out to accept. */
export type ResponsesDialect = {
  /** Encrypted reasoning, to be sent back in the next request. */
  encryptedReasoning: boolean
  summaries: boolean
  strictTools: boolean
  /** False = it refused to be told what to cache. */
  cacheOptions?: boolean
}

type Fields = Omit<OpenAI.Responses.ResponseCreateParamsStreaming, 'input' | 'tools'>
type WireItem = OpenAI.Responses.ResponseInputItem
type WireTool = OpenAI.Responses.FunctionTool

const itemsText = createTextCache(wireItems)
const strictTool = createJsonCache((tool: ToolSpec) => wireTool(tool, true))
const looseTool = createJsonCache((tool: ToolSpec) => wireTool(tool, false))

/**
 * Returns the body of one request as bytes. Parameters that are not set are not sent. The provider stores nothing: its
 * items, including encrypted reasoning, are sent with each request (SPEC R15c). Calls are accepted without a `tools`
 * field (SPEC R4).
 */
export function responsesBody(
  request: ModelRequest,
  dialect: ResponsesDialect,
  make: BodyMaker = freshBody,
): Uint8Array {
  const input = request.messages.map(itemsText).filter((items) => items.length > 0)
  const tools = request.tools.map(dialect.strictTools ? strictTool : looseTool)
  const caching = dialect.cacheOptions ? openAiCaching(request) : null
  const question = { ...fields(request, dialect), ...caching?.fields }
  const first = caching?.marksSystem ? JSON.stringify(markedSystem(request.system)) : ''
  if (first !== '') delete question.instructions
  const body = withExtraBody('openai', question, request.options?.extraBody)
  const more: [string, Buffer[]][] = tools.length > 0 ? [['tools', tools]] : []
  const parts = bodyParts(body, [['input', input], ...more], first)
  return withFiles(make(parts), request.messages)
}

/** Returns the system text as an item, because the field for it takes no breakpoint. */
function markedSystem(text: string): WireItem {
  return { role: 'system', content: [{ type: 'input_text', text, ...cacheBreakpoint }] }
}

/** Returns whether the body asks for summaries of the model's reasoning. */
export function asksForSummaries({ reasoning, parameters }: ModelRequest): boolean {
  const { reasoningEffort } = parameters
  if (reasoningEffort === 'none' || reasoning === false) return false
  return reasoning === true || reasoningEffort !== null
}

function fields(request: ModelRequest, dialect: ResponsesDialect): Fields {
  const { modelId, system, parameters, options } = request
  const body: Fields = { model: modelId, stream: true, store: false }
  if (dialect.encryptedReasoning && request.reasoning !== false)
    body.include = ['reasoning.encrypted_content']
  if (system !== '') body.instructions = system
  if (parameters.temperature !== null) body.temperature = parameters.temperature
  if (parameters.topP !== null) body.top_p = parameters.topP
  if (parameters.maxOutputTokens !== null) body.max_output_tokens = parameters.maxOutputTokens
  const reasoning = reasoningOf(request, dialect)
  if (reasoning) body.reasoning = reasoning
  const text = textOf(request)
  if (text) body.text = text
  if (options?.serviceTier != null)
    body.service_tier = options.serviceTier as Fields['service_tier']
  if (request.tools.length > 0) Object.assign(body, toolFields(request))
  return body
}

function reasoningOf(request: ModelRequest, { summaries }: ResponsesDialect): Fields['reasoning'] {
  const { reasoningEffort } = request.parameters
  const effort = reasoningEffort === null ? {} : { effort: reasoningEffort }
  const summary = summaries && asksForSummaries(request) ? { summary: 'auto' as const } : {}
  return Object.keys({ ...effort, ...summary }).length > 0 ? { ...effort, ...summary } : undefined
}

function textOf({ options }: ModelRequest): Fields['text'] {
  const verbosity = options?.verbosity == null ? {} : { verbosity: options.verbosity }
  const schema = options?.outputSchema ?? null
  if (schema === null) return options?.verbosity == null ? undefined : verbosity
  const strict = strictSchema(schema)
  const format = { type: 'json_schema' as const, name: 'answer' }
  return {
    ...verbosity,
    format: { ...format, schema: strict ?? schema, strict: strict !== null },
  }
}

/**
 * Returns the fields about tools, which are refused in a request without tools, as is the choice of a tool that is not
 * offered.
 */
function toolFields({
  tools,
  options,
}: ModelRequest): Pick<Fields, 'tool_choice' | 'parallel_tool_calls'> {
  const { toolChoice = null, parallelToolCalls = null } = options ?? {}
  const parallel = parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }
  if (toolChoice === null) return parallel
  if (typeof toolChoice === 'string') return { ...parallel, tool_choice: toolChoice }
  if (!tools.some(({ name }) => name === toolChoice.tool)) return parallel
  return { ...parallel, tool_choice: { type: 'function', name: toolChoice.tool } }
}

function wireTool(tool: ToolSpec, mayBeStrict: boolean): WireTool {
  const parameters = toolParameters(tool)
  const strict = mayBeStrict ? strictSchema(parameters) : null
  return {
    type: 'function',
    name: tool.name,
    description: tool.description,
    parameters: strict ?? parameters,
    // Left out it would be taken as true, and the schema changed.
    strict: strict !== null,
  }
}

/** Returns the items of one message, JSON text without the list's brackets; '' = none. */
function wireItems(message: Message): string {
  const native = message.role === 'assistant' ? itemsOfNative(message.native) : null
  return native ?? JSON.stringify(portableItems(message)).slice(1, -1)
}

function itemsOfNative(native: string | undefined): string | null {
  const text = native?.trim() ?? ''
  return text.startsWith('[') && text.endsWith(']') && text.length > 2 ? text.slice(1, -1) : null
}

/**
 * Returns the items without their ids. An id belongs to reasoning, which the answer of another connection does not
 * have.
 */
function portableItems(message: Message): WireItem[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: userContent(message) }]
    case 'tool':
      return [
        {
          type: 'function_call_output',
          call_id: wireId(message.providerCallId),
          output: message.attachments ? resultContent(message) : message.content,
        },
      ]
    case 'assistant':
      return [
        ...(message.text === '' ? [] : [{ role: 'assistant', content: message.text } as const]),
        ...message.toolCalls.map((call) => ({
          type: 'function_call' as const,
          call_id: wireId(call.providerCallId),
          name: wireName(call.name),
          arguments: argumentsJson(call.argumentsText),
        })),
      ]
    default:
      return message satisfies never
  }
}

type UserMessage = Extract<Message, { role: 'user' }>

function userContent(message: UserMessage): string | OpenAI.Responses.ResponseInputContent[] {
  const { parts, text } = userPartsOf(message)
  return parts.length > 0 ? [...parts.map(inputPart), { type: 'input_text', text }] : text
}

function resultContent(
  message: Extract<Message, { role: 'tool' }>,
): OpenAI.Responses.ResponseFunctionCallOutputItemList {
  return [{ type: 'input_text', text: message.content }, ...filePartsOf(message).map(inputPart)]
}

function inputPart(part: FilePart): OpenAI.Responses.ResponseInputContent {
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image':
      return { type: 'input_image', image_url: dataUrl(part.type, part.base64), detail: 'auto' }
    case 'pdf': {
      const file_data = dataUrl('application/pdf', part.base64)
      return { type: 'input_file', filename: part.name, file_data }
    }
    default:
      return part satisfies never
  }
}

/** Longer ids are refused. */
const longestId = 64

function wireId(id: string): string {
  return id.length <= longestId ? id : createHash('sha256').update(id).digest('base64url')
}
