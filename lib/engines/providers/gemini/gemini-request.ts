import type { Content, FunctionCallingConfig, GenerationConfig, Part } from '@google/genai'
import {
  type FilePart,
  filePartsOf,
  userPartsOf,
  withFiles,
} from '@/lib/engines/providers/request/attachments'
import {
  createJsonCache,
  createTextCache,
  isObject,
  objectBytes,
  textAt,
} from '@/lib/engines/providers/request/json-value'
import { argumentsObject, toolParameters } from '@/lib/engines/providers/request/tool-schema'
import { wireName } from '@/lib/engines/providers/request/wire-names'
import { firstPlaces } from '@/lib/engines/providers/turn/repeated-calls'
import type { Message, ModelRequest } from '@/lib/protocol/model/message'
import { thinksMinimally } from '@/lib/protocol/model/model-families'
import { isBeforeGemini3 } from '@/lib/protocol/model/model-ids'
import { withExtraBody } from '@/lib/protocol/model/own-body-fields'
import type { ToolSpec } from '@/lib/protocol/tool'
import { exactJson, exactText } from '@/lib/words/json-text'

type AssistantMessage = Extract<Message, { role: 'assistant' }>
type ToolMessage = Extract<Message, { role: 'tool' }>

/** One message of the wire, whose parts are already bytes. */
type Turn = { role: 'user' | 'model'; parts: Buffer[] }

/** Begins the ids that this server gives to calls which came without one; they are never sent. */
export const ownIdPrefix = 'toolgate-'

/** Goes where a model of the third generation wants its signature, on a call that another provider's model made. */
const foreignCall = 'skip_thought_signature_validator'

const userBytes = createTextCache((message: Extract<Message, { role: 'user' }>) =>
  JSON.stringify(userParts(message)).slice(1, -1),
)
const signedBytes = createTextCache((message: AssistantMessage) => partsText(message, true))
const unsignedBytes = createTextCache((message: AssistantMessage) => partsText(message, false))
const resultBytes = createJsonCache((message: ToolMessage) => functionResponse(message, null))
const toolBytes = createJsonCache((tool: ToolSpec) => ({
  name: tool.name,
  description: tool.description,
  parametersJsonSchema: toolParameters(tool),
}))

/**
 * Returns the body of one `streamGenerateContent` request as bytes; the model is in the path. The API has no verbosity
 * and no switch for parallel calls.
 */
export function geminiBody(request: ModelRequest): Uint8Array {
  const { system, tools } = request
  const contents = turnsOf(request).map(({ role, parts }) => objectBytes({ role }, { parts }))
  const declared = [objectBytes({}, { functionDeclarations: tools.map(toolBytes) })]
  const fields = {
    ...(system !== '' && { systemInstruction: { parts: [{ text: system }] } satisfies Content }),
    ...toolConfig(request),
    ...generation(request),
    ...(request.options?.serviceTier ? { serviceTier: request.options.serviceTier } : {}),
  }
  const body = withExtraBody('gemini', fields, request.options?.extraBody)
  const lists = { ...(tools.length > 0 && { tools: declared }), contents }
  return withFiles(objectBytes(body, lists), request.messages)
}

function toolConfig({ tools, options }: ModelRequest): object {
  const functionCallingConfig = callingConfig(options?.toolChoice ?? null, tools)
  return functionCallingConfig ? { toolConfig: { functionCallingConfig } } : {}
}

type Calling = Omit<FunctionCallingConfig, 'mode'> & { mode: `${'ANY' | 'NONE'}` }
type WantedChoice = NonNullable<ModelRequest['options']>['toolChoice']

function callingConfig(wanted: WantedChoice, tools: readonly ToolSpec[]): Calling | null {
  if (tools.length === 0 || wanted === null || wanted === 'auto') return null
  if (wanted === 'none') return { mode: 'NONE' }
  if (wanted === 'required') return { mode: 'ANY' }
  const isOffered = tools.some(({ name }) => name === wanted.tool)
  return isOffered ? { mode: 'ANY', allowedFunctionNames: [wanted.tool] } : null
}

type Generation = Omit<GenerationConfig, 'thinkingConfig'> & { thinkingConfig?: Thinking }

function generation({ modelId, parameters, options, tools }: ModelRequest): object {
  const { temperature, topP, maxOutputTokens, stop, seed, reasoningEffort } = parameters
  const schema = tools.length === 0 ? (options?.outputSchema ?? null) : null
  const config: Generation = {
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(maxOutputTokens !== null && { maxOutputTokens }),
    ...(stop.length > 0 && { stopSequences: stop }),
    ...(seed !== null && { seed }),
    ...(reasoningEffort !== null && { thinkingConfig: thinking(modelId, reasoningEffort) }),
    // A schema beside functions is refused.
    ...(schema && { responseMimeType: 'application/json', responseJsonSchema: schema }),
  }
  return Object.keys(config).length > 0 ? { generationConfig: config } : {}
}

type Effort = NonNullable<ModelRequest['parameters']['reasoningEffort']>
type Thinking = { includeThoughts?: boolean; thinkingBudget?: number; thinkingLevel?: string }

/** Tokens that models before the third generation may think, as Google's own translation of efforts has them. */
const budgets = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
} as const satisfies Record<Effort, number>

const levels = { low: 'LOW', medium: 'MEDIUM', high: 'HIGH', xhigh: 'HIGH', max: 'HIGH' } as const

/** Returns the reasoning fields. Later models take a level, and none of them can stop reasoning. */
function thinking(modelId: string, effort: Effort): Thinking {
  if (isBeforeGemini3(modelId)) {
    return effort === 'none'
      ? { thinkingBudget: 0 }
      : { includeThoughts: true, thinkingBudget: budgets[effort] }
  }
  const least = thinksMinimally(modelId) ? 'MINIMAL' : 'LOW'
  const thinkingLevel = { ...levels, none: least, minimal: least }[effort]
  return effort === 'none' ? { thinkingLevel } : { includeThoughts: true, thinkingLevel }
}

function userParts(message: Extract<Message, { role: 'user' }>): Part[] {
  const { parts, text } = userPartsOf(message)
  return [...parts.map(filePart), { text: spoken(text) }]
}

function filePart(part: FilePart): Part {
  if (part.kind === 'text') return { text: part.text }
  const mimeType = part.kind === 'pdf' ? 'application/pdf' : part.type
  return { inlineData: { mimeType, data: part.base64 } }
}

/**
 * Returns the turns. The results of a round are parts of one message of the user. An id is sent only if Google assigned
 * it: Google ignores others, and Vertex AI refused them for a long time.
 */
function turnsOf({ modelId, messages }: ModelRequest): Turn[] {
  const assistantBytes = isBeforeGemini3(modelId) ? unsignedBytes : signedBytes
  const turns: Turn[] = []
  let requests: OwnCall[] = []
  let results: ToolMessage[] = []
  const flush = () => {
    for (const bytes of resultsOf(requests, results)) add(turns, 'user', bytes)
    results = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(message)
      continue
    }
    flush()
    requests = message.role === 'assistant' ? ownCalls(message) : []
    if (message.role === 'user') add(turns, 'user', userBytes(message))
    else add(turns, 'model', assistantBytes(message))
  }
  flush()
  return turns
}

/** A call of an answer as Google wrote it, and the place of its result among those of the answer. */
type OwnCall = { id: string | null; result: number }

const knownCalls = new WeakMap<AssistantMessage, OwnCall[]>()

/** Returns the calls of an answer that goes back as it came; none of another one. */
function ownCalls(message: AssistantMessage): OwnCall[] {
  const known = knownCalls.get(message)
  if (known || message.native === undefined) return known ?? []
  const whole = { text: message.native, value: JSON.parse(message.native) as object }
  const calls = (Array.isArray(whole.value) ? whole.value : [])
    .filter(isObject)
    .flatMap(({ functionCall }) => (isObject(functionCall) ? [functionCall] : []))
  const places = firstPlaces(
    calls.map((call) => {
      const argumentsText = call.args === undefined ? '' : exactText(call.args, whole)
      return { id: textAt(call, 'id') || null, name: textAt(call, 'name'), argumentsText }
    }),
  )
  const distinct = places.filter((place, at) => place === at)
  const own = calls.map((call, at) => {
    return { id: textAt(call, 'id') || null, result: distinct.indexOf(places[at] ?? at) }
  })
  knownCalls.set(message, own)
  return own
}

/**
 * Returns the results of an answer in the order of its calls. Google wants one for each of its parts, so the result of
 * a call that came twice is sent twice.
 */
function resultsOf(input: readonly OwnCall[], results: readonly ToolMessage[]): Buffer[] {
  if (input.length === 0) return results.map(resultBytes)
  return input.flatMap(({ id, result }) => {
    const message = results[result]
    return message ? [ownResultBytes(message, id)] : []
  })
}

const knownResults = new WeakMap<ToolMessage, Buffer>()

/** Returns the result of a call with the id that Google gave it; null = it gave none. */
function ownResultBytes(message: ToolMessage, id: string | null): Buffer {
  const known = knownResults.get(message)
  const bytes = known ?? Buffer.from(JSON.stringify(functionResponse(message, id)))
  knownResults.set(message, bytes)
  return bytes
}

function add(turns: Turn[], role: Turn['role'], part: Buffer): void {
  const last = turns.at(-1)
  if (last?.role === role) last.parts.push(part)
  else turns.push({ role, parts: [part] })
}

/**
 * Returns the parts of an answer without their brackets. What the provider wrote is sent back byte for byte (SPEC
 * R15c).
 */
function partsText(message: AssistantMessage, signed: boolean): string {
  if (message.native !== undefined) return message.native.slice(1, -1)
  const parts = portableParts(message)
  const first = parts.find((part) => part.functionCall)
  if (signed && first) first.thoughtSignature = foreignCall
  return exactJson(parts.length > 0 ? parts : [{ text: spoken('') }]).slice(1, -1)
}

/** Returns the portable form of an answer. */
export function portableParts({
  text,
  toolCalls,
}: Pick<AssistantMessage, 'text' | 'toolCalls'>): Part[] {
  const said: Part[] = text.trim() === '' ? [] : [{ text }]
  return [
    ...said,
    ...toolCalls.map(({ name, argumentsText }): Part => {
      return { functionCall: { name: wireName(name), args: argumentsObject(argumentsText) } }
    }),
  ]
}

/**
 * Returns a result as an object, which the API requires: the tool's text is its `output` or its `error`. Images are
 * beside it.
 */
function functionResponse(message: ToolMessage, id: string | null): Part {
  const { name, content, isError, attachments } = message
  const response = isError ? { error: content } : { output: content }
  const given = id === null || id.startsWith(ownIdPrefix) ? {} : { id }
  const parts = attachments && { parts: filePartsOf(message).map(filePart) }
  return { functionResponse: { ...given, name: wireName(name), response, ...parts } }
}

/** Returns the text as a part, or nothing for empty text, which is refused. */
function spoken(text: string): string {
  return text.trim() === '' ? '(empty)' : text
}
