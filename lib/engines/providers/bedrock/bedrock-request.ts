import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema'
import type {
  InferenceConfiguration,
  OutputConfig,
  ToolChoice,
} from '@aws-sdk/client-bedrock-runtime'
import { type ClaudeTool, claudeTools } from '@/lib/engines/providers/anthropic/claude-tools'
import {
  type FilePart,
  filePartsOf,
  userPartsOf,
  withFiles,
} from '@/lib/engines/providers/request/attachments'
import { cacheMarks, markedMessages } from '@/lib/engines/providers/request/cache-marks'
import {
  createJsonCache,
  createTextCache,
  objectBytes,
} from '@/lib/engines/providers/request/json-value'
import type { Message, ModelRequest } from '@/lib/protocol/model/message'
import { bedrockFamily, thinkingLimits } from '@/lib/protocol/model/model-families'
import {
  isClaudeOnBedrock,
  isNovaOnBedrock,
  takesOneSampling,
} from '@/lib/protocol/model/model-ids'
import { withExtraBody } from '@/lib/protocol/model/own-body-fields'
import type { JsonObject } from '@/lib/protocol/parameters/parameter-values'
import type { ToolSpec } from '@/lib/protocol/tool'
import { exactJson } from '@/lib/words/json-text'
import { assistantBlocks, wireId } from './bedrock-native'

type AssistantMessage = Extract<Message, { role: 'assistant' }>
type ToolMessage = Extract<Message, { role: 'tool' }>
type Role = 'user' | 'assistant'

/** One message of the wire, whose content is already bytes. */
type Turn = { role: Role; content: Buffer[] }

const cachePoint = Buffer.from(JSON.stringify({ cachePoint: { type: 'default' } }))

const userBytes = createTextCache((message: Extract<Message, { role: 'user' }>) => {
  const { parts, text } = userPartsOf(message)
  const blocks = [...parts.map(fileBlock), { text: spoken(text) }]
  return JSON.stringify(blocks).slice(1, -1)
})
const assistantBytes = createTextCache(contentText)
const plainBytes = createJsonCache((message: AssistantMessage) => ({
  text: spoken(assistantAsText(message)),
}))
/** Calls that go back as they came: their results name them as they came, too. */
const resultBytes = {
  wired: createJsonCache((message: ToolMessage) => toolResult(message, wireId)),
  native: createJsonCache((message: ToolMessage) => toolResult(message, ownId)),
  wiredWithStatus: createJsonCache((message: ToolMessage) => withStatus(message, wireId)),
  nativeWithStatus: createJsonCache((message: ToolMessage) => withStatus(message, ownId)),
}
const plainResultBytes = createTextCache((message: ToolMessage) => {
  const { name, content, isError } = message
  const text = `[${isError ? 'Error' : 'Result'} of ${name}]\n${content}`
  return JSON.stringify([{ text }, ...filePartsOf(message).map(fileBlock)]).slice(1, -1)
})
const toolBytes = createJsonCache(wireTool)

/** Optional features that a model accepts; false or left out: it refused the feature. */
export type BedrockDialect = { cachePoints: boolean; textFormat: boolean; strictTools?: boolean }

/**
 * Returns the body of one Converse request as bytes; the model is in the path. The API refuses tool turns in a request
 * without tools, so they become text (SPEC R4). It has no seed and no verbosity, and can say "no tools" only by
 * offering none.
 */
export function bedrockBody(request: ModelRequest, dialect: BedrockDialect) {
  const { cachePoints, textFormat, strictTools = false } = dialect
  const offered = request.options?.toolChoice === 'none' ? [] : request.tools
  const input = { ...request, tools: offered }
  const isMarked = cachePoints && isClaudeOnBedrock(request.modelId)
  const marks = isMarked ? cacheMarks(input) : { prefix: false, history: false }
  const turns = turnsOf(input)
  if (marks.history) {
    for (const index of markedMessages(turns.length, (index) => turns[index]?.role === 'user'))
      turns[index]?.content.push(cachePoint)
  }
  const messages = turns.map(({ role, content }) => objectBytes({ role }, { content }))
  const system = [Buffer.from(JSON.stringify({ text: request.system }))]
  if (marks.prefix) system.push(cachePoint)
  const tools = toolConfig(input, strictTools, marks.prefix && request.system === '')
  const lists = { ...(request.system !== '' && { system }), messages }
  const body = withToolConfig(objectBytes(fields(request, textFormat), lists), tools)
  return withFiles(body, request.messages)
}

function withToolConfig(body: Buffer, tools: Buffer | null): Buffer {
  if (tools === null) return body
  return Buffer.concat([
    body.subarray(0, body.length - 1),
    Buffer.from(',"toolConfig":'),
    tools,
    Buffer.from('}'),
  ])
}

function toolConfig(
  { tools, options }: ModelRequest,
  strictTools: boolean,
  isMarked: boolean,
): Buffer | null {
  if (tools.length === 0) return null
  const wired = claudeTools(tools, strictTools).map(toolBytes)
  if (isMarked) wired.push(cachePoint)
  const choice = toolChoice(options?.toolChoice ?? null, tools)
  return objectBytes(choice ? { toolChoice: choice } : {}, { tools: wired })
}

type WantedChoice = NonNullable<ModelRequest['options']>['toolChoice']

function toolChoice(wanted: WantedChoice, tools: readonly ToolSpec[]): ToolChoice | null {
  if (wanted === 'required') return { any: {} }
  if (wanted === null || typeof wanted === 'string') return null
  const isOffered = tools.some(({ name }) => name === wanted.tool)
  return isOffered ? { tool: { name: wanted.tool } } : null
}

function fields(request: ModelRequest, textFormat: boolean): object {
  const { modelId, parameters, options, mostOutputTokens } = request
  const thinking = thinkingOf({ modelId, parameters, mostOutputTokens })
  const isOne = takesOneSampling({ wire: 'bedrock', modelId }) && parameters.topP !== null
  const temperature = isOne ? null : parameters.temperature
  const inference: InferenceConfiguration = {
    ...(thinking.maxTokens !== null && { maxTokens: thinking.maxTokens }),
    ...(temperature !== null && { temperature }),
    ...(parameters.topP !== null && { topP: parameters.topP }),
    ...(parameters.stop.length > 0 && { stopSequences: parameters.stop }),
  }
  const { additional } = thinking
  const tier = options?.serviceTier
  const schema = textFormat ? options?.outputSchema : null
  const body = {
    ...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
    ...(Object.keys(additional).length > 0 && { additionalModelRequestFields: additional }),
    ...(tier && { serviceTier: { type: tier } }),
    ...(schema && { outputConfig: answerFormat(schema) }),
  }
  return withExtraBody('bedrock', body, options?.extraBody)
}

/** Returns the schema as text. The API refuses the same keywords as Anthropic's, which become descriptions. */
function answerFormat(schema: JsonObject): OutputConfig {
  const jsonSchema = { name: 'answer', schema: JSON.stringify(transformJSONSchema(schema)) }
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } }
}

/** Returns the fields that set the reasoning effort, which differ by model family. */
function thinkingOf(request: Pick<ModelRequest, 'modelId' | 'parameters' | 'mostOutputTokens'>): {
  maxTokens: number | null
  additional: Record<string, unknown>
} {
  const { maxOutputTokens: maxTokens, reasoningEffort: effort } = request.parameters
  const family = bedrockFamily(request.modelId)
  if (family === 'claude') {
    const { max_tokens, ...additional } = thinkingLimits(request)
    return { maxTokens: max_tokens, additional }
  }
  if (effort === null || effort === 'none') return { maxTokens, additional: {} }
  if (family === 'gpt-oss') return { maxTokens, additional: { reasoning_effort: effort } }
  const reasoningConfig = { type: 'enabled', maxReasoningEffort: effort }
  return { maxTokens, additional: family === 'nova-2' ? { reasoningConfig } : {} }
}

function wireTool({ tool, parameters, strict }: ClaudeTool): object {
  const { name, description } = tool
  const inputSchema = { json: parameters }
  const toolSpec = { name, description: spoken(description), inputSchema }
  return { toolSpec: { ...toolSpec, ...(strict && { strict }) } }
}

/**
 * Returns the messages of this wire, on which roles take turns: what follows one another goes into one message, results
 * before text.
 */
function turnsOf({ modelId, messages, tools }: ModelRequest): Turn[] {
  const withTools = tools.length > 0
  const turns: Turn[] = []
  // Only these families know it, by the words of the API's reference.
  const knowsStatus = isClaudeOnBedrock(modelId) || isNovaOnBedrock(modelId)
  const native = knowsStatus ? 'nativeWithStatus' : 'native'
  const wired = knowsStatus ? 'wiredWithStatus' : 'wired'
  let isNative = false
  for (const message of messages) {
    if (message.role === 'user') add(turns, 'user', userBytes(message))
    else if (message.role === 'assistant') {
      isNative = message.native !== undefined
      add(turns, 'assistant', withTools ? assistantBytes(message) : plainBytes(message))
    } else if (!withTools) add(turns, 'user', plainResultBytes(message))
    else add(turns, 'user', resultBytes[isNative ? native : wired](message))
  }
  return turns
}

function add(turns: Turn[], role: Role, content: Buffer): void {
  const last = turns.at(-1)
  if (last?.role === role) last.content.push(content)
  else turns.push({ role, content: [content] })
}

/**
 * Returns the blocks of an answer without their brackets. What the provider wrote is sent back byte for byte (SPEC
 * R15c).
 */
function contentText(message: AssistantMessage): string {
  if (message.native !== undefined) return message.native.slice(1, -1)
  const blocks = assistantBlocks(message)
  return exactJson(blocks.length > 0 ? blocks : [{ text: spoken('') }]).slice(1, -1)
}

/** Returns a file with its bytes as base64. Names must be unique in a message and have only some characters. */
function fileBlock(part: FilePart, index: number): object {
  if (part.kind === 'text') return { text: part.text }
  const source = { bytes: part.base64 }
  if (part.kind === 'image') return { image: { format: part.type.replace('image/', ''), source } }
  const plain = part.name.replace(/\.pdf$/i, '').replace(/[^a-zA-Z0-9()[\]-]+/g, ' ')
  const name = `${index + 1} ${plain.slice(0, 100)}`.trim()
  return { document: { format: 'pdf', name, source } }
}

function toolResult(message: ToolMessage, idOf: (id: string) => string) {
  const content = [{ text: spoken(message.content) }, ...filePartsOf(message).map(fileBlock)]
  return { toolResult: { toolUseId: idOf(message.providerCallId), content } }
}

function withStatus(message: ToolMessage, idOf: (id: string) => string): object {
  const { toolResult: result } = toolResult(message, idOf)
  return { toolResult: message.isError ? { ...result, status: 'error' } : result }
}

function ownId(id: string): string {
  return id
}

function assistantAsText({ text, toolCalls }: AssistantMessage): string {
  const callLines = toolCalls.map((call) => `[Asked for ${call.name} with ${call.argumentsText}]`)
  return [text.trim(), ...callLines].filter((part) => part !== '').join('\n')
}

/** Returns the text as a block, or nothing for blank text, which is refused. */
function spoken(text: string): string {
  return text.trim() === '' ? '(empty)' : text
}
