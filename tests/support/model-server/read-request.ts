import type { IncomingMessage } from 'node:http'
import type { ServedRequest, ServedWire } from './scripted-turn'

type Json = Record<string, unknown>

const wires: Record<string, ServedWire> = {
  '/v1/responses': 'responses',
  '/v1/chat/completions': 'chat-completions',
  '/v1/messages': 'anthropic',
  '/api/chat': 'ollama',
}

/** The field of the conversation, where it is not `messages`. */
const historyOf: Partial<Record<ServedWire, string>> = { responses: 'input', gemini: 'contents' }

/** Returns the model in the path of a Converse request; null = it is not one. */
function converseModel(path: string): string | null {
  const [, model] = /^\/model\/([^/]+)\/converse-stream$/.exec(path) ?? []
  return model === undefined ? null : decodeURIComponent(model)
}

const geminiPath =
  /^(?:\/v1beta|\/v1\/projects\/[^/]+\/locations\/[^/]+\/publishers\/google)\/models\/([^/]+):streamGenerateContent$/

/** Returns the model in the path of a request to the Gemini API or to Vertex AI; null = it is not one. */
function geminiModel(path: string): string | null {
  const [, model] = geminiPath.exec(path) ?? []
  return model === undefined ? null : decodeURIComponent(model)
}

export function wireOf(path: string): ServedWire | null {
  if (geminiModel(path) !== null) return 'gemini'
  return converseModel(path) === null ? (wires[path] ?? null) : 'bedrock'
}

export async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

export function readRequest(
  wire: ServedWire,
  path: string,
  headers: Record<string, string>,
  text: string,
): ServedRequest {
  const body: Json = JSON.parse(text)
  const messages = list(body[historyOf[wire] ?? 'messages'])
  const turn = newestTurn(messages)
  const firstAnswer = turn.findIndex(isAnswered)
  const firstUser = turn.find((message) => message.role === 'user')
  return {
    wire,
    path,
    headers,
    body,
    model: converseModel(path) ?? geminiModel(path) ?? String(body.model),
    system: systemOf(body, messages),
    prompt: firstUser ? textOf(firstUser.content ?? firstUser.parts).replace(fenceLine, '') : '',
    offered: toolsOf(body),
    results: firstAnswer === -1 ? [] : turn.slice(firstAnswer).flatMap(resultsOf),
    round: turn.filter((message, index) => isAnswered(message) && !isAnswered(turn[index - 1]))
      .length,
    unexpected: false,
    aborted: false,
    at: Date.now(),
  }
}

/** Returns the messages from the last prompt on that says how to answer. What tools returned is none, whatever it says. */
function newestTurn(messages: Json[]): Json[] {
  const at = messages.findLastIndex((message, place) => {
    if (message.role !== 'user' || !isAnswered(messages[place - 1])) return false
    const text = textOf(message.content ?? message.parts)
    return text.includes('[[') && !text.includes('<untrusted-')
  })
  return at === -1 ? messages : messages.slice(at)
}

/** Returns the tools, without the cache points that the Converse API has among them. */
function toolsOf(body: Json): string[] {
  const converse = list(json(body.toolConfig).tools).filter((tool) => tool.toolSpec !== undefined)
  const gemini = list(body.tools).flatMap((tool) => list(tool.functionDeclarations))
  if (gemini.length > 0) return gemini.map(({ name }) => String(name))
  return [...list(body.tools), ...converse].map((tool) =>
    String(tool.name ?? json(tool.function ?? tool.toolSpec).name),
  )
}

/** Toolgate's note about its tags, in front of skills and prompt. */
const fenceLine = /^\[Note from Toolgate: the tags are [^\n]*\]\n\n/

/** Returns whether an item comes from the model: a message, or with Responses an item of its answer. */
function isAnswered(message: Json | undefined): boolean {
  return (
    message?.role === 'assistant' ||
    message?.role === 'model' ||
    message?.type === 'reasoning' ||
    message?.type === 'function_call'
  )
}

function systemOf(body: Json, messages: Json[]): string {
  if (body.system !== undefined) return textOf(body.system)
  if (body.systemInstruction !== undefined) return textOf(json(body.systemInstruction).parts)
  if (typeof body.instructions === 'string') return body.instructions
  const system = messages.find((message) => message.role === 'system')
  return system ? textOf(system.content) : ''
}

/** Returns the results of calls. Anthropic without tools gets them as user text after the model's answer. */
function resultsOf(message: Json): string[] {
  if (message.role === 'tool') return [textOf(message.content)]
  if (message.type === 'function_call_output') return [textOf(message.output)]
  if (message.role !== 'user') return []
  if (message.parts !== undefined) return list(message.parts).map(geminiResult)
  if (typeof message.content === 'string') return [message.content]
  return list(message.content).flatMap((block) => {
    if (block.cachePoint !== undefined) return []
    if (block.toolResult !== undefined) return [textOf(json(block.toolResult).content)]
    return block.type === 'tool_result' ? [textOf(block.content)] : [textOf([block])]
  })
}

function geminiResult(part: Json): string {
  const response = json(json(part.functionResponse).response)
  return String(response.output ?? response.error ?? part.text ?? '')
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((part) => (typeof part.text === 'string' ? part.text : ''))
    .join('')
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(json) : []
}

function json(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
