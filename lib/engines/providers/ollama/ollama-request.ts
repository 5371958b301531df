import type { ChatRequest, Options, Tool, Message as WireMessage } from 'ollama'
import {
  imagesAfterResults,
  userPartsOf,
  withFiles,
} from '@/lib/engines/providers/request/attachments'
import {
  createJsonCache,
  createTextCache,
  objectBytes,
} from '@/lib/engines/providers/request/json-value'
import { argumentsObject, toolParameters } from '@/lib/engines/providers/request/tool-schema'
import { wireName } from '@/lib/engines/providers/request/wire-names'
import type { Message, ModelRequest } from '@/lib/protocol/model/message'
import { knowsDegrees } from '@/lib/protocol/model/model-families'
import { withExtraBody } from '@/lib/protocol/model/own-body-fields'
import type { ModelParameters } from '@/lib/protocol/parameters/parameters'
import type { ToolSpec } from '@/lib/protocol/tool'
import { exactJson } from '@/lib/words/json-text'

const messageBytes = createTextCache((message: Message) => exactJson(wireMessage(message)))
const toolBytes = createJsonCache(wireTool)

/** Returns the body of one request as bytes. Parameters that are not set are not sent. */
export function ollamaBody(request: ModelRequest): Uint8Array {
  const messages = imagesAfterResults(request.messages).map(messageBytes)
  const system: WireMessage = { role: 'system', content: request.system }
  if (request.system !== '') messages.unshift(Buffer.from(JSON.stringify(system)))
  const tools = request.tools.map(toolBytes)
  const lists = { messages, ...(tools.length > 0 && { tools }) }
  return withFiles(objectBytes(fields(request), lists), request.messages)
}

function fields(request: ModelRequest): Omit<ChatRequest, 'messages' | 'tools'> {
  const options = wireOptions(request.parameters)
  const effort = request.parameters.reasoningEffort
  const body = {
    model: request.modelId,
    stream: true,
    ...(Object.keys(options).length > 0 ? { options } : {}),
    ...(request.options?.outputSchema ? { format: request.options.outputSchema } : {}),
    // Only gpt-oss knows degrees of thinking; every other model refuses them.
    ...(effort === null
      ? {}
      : { think: knowsDegrees(request.modelId) ? degrees[effort] : effort !== 'none' }),
  }
  return withExtraBody('ollama', body, request.options?.extraBody)
}

const degrees = {
  none: false,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const

function wireOptions(parameters: ModelParameters): Partial<Options> {
  const options: Partial<Options> = {}
  if (parameters.temperature !== null) options.temperature = parameters.temperature
  if (parameters.topP !== null) options.top_p = parameters.topP
  if (parameters.maxOutputTokens !== null) options.num_predict = parameters.maxOutputTokens
  if (parameters.stop.length > 0) options.stop = parameters.stop
  if (parameters.seed !== null) options.seed = parameters.seed
  return options
}

/** Returns the tool. The client's type of a schema is narrower than the API, which accepts any JSON Schema. */
function wireTool(tool: ToolSpec): Tool {
  const parameters = toolParameters(tool) as Tool['function']['parameters']
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters },
  }
}

function wireMessage(message: Message): WireMessage {
  switch (message.role) {
    case 'user':
      return wireUser(message)
    case 'tool':
      return {
        role: 'tool',
        content: message.content,
        tool_name: wireName(message.name),
        ...(isGiven(message.providerCallId) && { tool_call_id: message.providerCallId }),
      }
    case 'assistant':
      return wireAssistant(message)
    default:
      return message satisfies never
  }
}

/** Returns a message of the user. Text files precede the message's own text; the runtime sends no PDF here. */
function wireUser(message: Extract<Message, { role: 'user' }>): WireMessage {
  const { parts, text } = userPartsOf(message)
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  const images = parts.flatMap((part) => (part.kind === 'image' ? [part.base64] : []))
  return {
    role: 'user',
    content: [...texts, text].join('\n\n'),
    ...(images.length > 0 && { images }),
  }
}

/** Returns whether Ollama gave the id of a call; older versions give none and know none. */
function isGiven(id: string): boolean {
  return /^call_(?![0-9a-f]{32}$)\w+$/.test(id)
}

function wireAssistant(message: Extract<Message, { role: 'assistant' }>): WireMessage {
  const thinking = message.reasoning
    .filter((block) => block.signature === null)
    .map((block) => block.text)
    .join('\n')
  const calls = message.toolCalls.map((call) => ({
    ...(isGiven(call.providerCallId) && { id: call.providerCallId }),
    function: { name: wireName(call.name), arguments: argumentsObject(call.argumentsText) },
  }))
  return {
    role: 'assistant',
    content: message.text,
    ...(thinking === '' ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}
