import type Anthropic from '@anthropic-ai/sdk'
import type { Message, ReasoningBlock } from '@/lib/protocol/message'
import type { ModelParameters, ModelRequest } from '@/lib/protocol/model-event'
import type { ToolSpec } from '@/lib/protocol/tool'
import { createJsonCache, objectBytes } from './json-bytes'
import { argumentsObject } from './tool-arguments'
import { toolParameters } from './tool-parameters'

type Fields = Omit<Anthropic.MessageCreateParamsStreaming, 'messages' | 'tools'>
type AssistantMessage = Extract<Message, { role: 'assistant' }>
type ToolMessage = Extract<Message, { role: 'tool' }>

/** The wire demands a limit; this is what current models all allow. */
const defaultMaxTokens = 8_192

/** Thinking that models before 4.6 may spend; newer ones take the effort itself. */
const thinkingBudgets = { low: 2_048, medium: 8_192, high: 24_576 } as const
const budgetedModels = /claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[015])?(?:-\d{8}|@|$))/

const messageBytes = createJsonCache(wireMessage)
const textBytes = createJsonCache(wireMessageAsText)
const toolBytes = createJsonCache(wireTool)

/**
 * The body of one request, as bytes. This wire refuses tool turns in a request without tools, so there they go
 * as text (SPEC R4). It knows neither temperature, top-p nor seed.
 */
export function anthropicBody(request: ModelRequest): Uint8Array {
  const withTools = request.tools.length > 0
  const messages = request.messages.map(withTools ? messageBytes : textBytes)
  const tools = request.tools.map(toolBytes)
  return objectBytes(fields(request), withTools ? { messages, tools } : { messages })
}

function fields({ modelId, system, parameters }: ModelRequest): Fields {
  const body: Fields = { model: modelId, stream: true, ...limits(modelId, parameters) }
  if (system !== '') body.system = system
  if (parameters.stop.length > 0) body.stop_sequences = parameters.stop
  return body
}

/** Thinking counts towards `max_tokens`, so a budget is given on top of what was allowed for the answer. */
function limits(modelId: string, parameters: ModelParameters) {
  const { maxOutputTokens, reasoningEffort } = parameters
  const max_tokens = maxOutputTokens ?? defaultMaxTokens
  if (reasoningEffort === null) return { max_tokens }
  if (!budgetedModels.test(modelId)) {
    return {
      max_tokens: maxOutputTokens ?? defaultMaxTokens + thinkingBudgets[reasoningEffort],
      thinking: { type: 'adaptive' as const, display: 'summarized' as const },
      output_config: { effort: reasoningEffort },
    }
  }
  const budget_tokens = thinkingBudgets[reasoningEffort]
  return {
    max_tokens: max_tokens + budget_tokens,
    thinking: { type: 'enabled' as const, budget_tokens },
  }
}

function wireTool(tool: ToolSpec): Anthropic.Tool {
  return { name: tool.name, description: tool.description, input_schema: toolParameters(tool) }
}

/** Consecutive messages of one role are one turn to this wire, so each result may go as a message of its own. */
function wireMessage(message: Message): Anthropic.MessageParam {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: spoken(message.text) }
    case 'tool':
      return { role: 'user', content: [toolResult(message)] }
    case 'assistant':
      return { role: 'assistant', content: assistantBlocks(message) }
    default:
      return message satisfies never
  }
}

function toolResult(message: ToolMessage): Anthropic.ToolResultBlockParam {
  return {
    type: 'tool_result',
    tool_use_id: wireId(message.providerCallId),
    content: message.content,
    ...(message.isError ? { is_error: true } : {}),
  }
}

function assistantBlocks(message: AssistantMessage): Anthropic.ContentBlockParam[] {
  const blocks = message.reasoning.flatMap(thinkingBlock)
  if (message.text.trim() !== '') blocks.push({ type: 'text', text: message.text })
  for (const call of message.toolCalls) {
    blocks.push({
      type: 'tool_use',
      id: wireId(call.providerCallId),
      name: call.name,
      input: argumentsObject(call.argumentsText),
    })
  }
  return blocks.length > 0 ? blocks : [{ type: 'text', text: spoken(message.text) }]
}

/** Only what this wire signed goes back; the marks of other wires contain a colon, which no signature has. */
function thinkingBlock({
  text,
  signature,
  redacted,
}: ReasoningBlock): Anthropic.ContentBlockParam[] {
  if (signature === null || signature.includes(':')) return []
  if (redacted) return [{ type: 'redacted_thinking', data: signature }]
  return [{ type: 'thinking', thinking: text, signature }]
}

function wireMessageAsText(message: Message): Anthropic.MessageParam {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: spoken(message.text) }
    case 'tool':
      return {
        role: 'user',
        content: `[${message.isError ? 'Error' : 'Result'} of ${message.name}]\n${message.content}`,
      }
    case 'assistant':
      return { role: 'assistant', content: spoken(assistantAsText(message)) }
    default:
      return message satisfies never
  }
}

function assistantAsText({ text, toolCalls }: AssistantMessage): string {
  const asked = toolCalls.map((call) => `[Asked for ${call.name} with ${call.argumentsText}]`)
  return [text.trim(), ...asked].filter((part) => part !== '').join('\n')
}

/** Empty text is refused. */
function spoken(text: string): string {
  return text.trim() === '' ? '(empty)' : text
}

/** Ids of another wire may hold characters that this one refuses. */
function wireId(id: string): string {
  return id.replace(/[^\w-]/g, '_')
}
