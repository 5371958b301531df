import { sealReasoning } from './responses-frames'

type Json = Record<string, unknown>

/** A refusal as the real server words it. */
export type Refusal = { status: number; error: { message: string; type: string; code?: string } }

/** The parameters that the `openai` package 6.49.0 types for `POST /responses`. */
const parameters = new Set([
  'background',
  'context_management',
  'conversation',
  'include',
  'input',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'model',
  'moderation',
  'parallel_tool_calls',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
])

/**
 * Returns why the Responses API refuses a request; null = it does not. By its reference, its guides on function
 * calling, reasoning and structured outputs (as of 2026-11), and refusals that users reported: unknown parameters,
 * calls without outputs and outputs without calls, reasoning that is lost, changed or misplaced, and strict schemas
 * that are not strict.
 */
export function refuseResponses(body: Json): Refusal | null {
  try {
    checkParameters(body)
    checkTools(body)
    checkInput(body)
    return null
  } catch (refusal) {
    if (refusal instanceof Refused)
      return {
        status: 400,
        error: { message: refusal.message, type: 'invalid_request_error', ...refusal.more },
      }
    throw refusal
  }
}

class Refused extends Error {
  constructor(
    message: string,
    readonly more: { code?: string } = {},
  ) {
    super(message)
  }
}

function require(holds: boolean, message: string, code?: string): asserts holds {
  if (!holds) throw new Refused(message, code === undefined ? {} : { code })
}

function checkParameters(body: Json): void {
  for (const name of Object.keys(body))
    require(parameters.has(name), `Unknown parameter: '${name}'.`, 'unknown_parameter')
  require(typeof body.model === 'string', "Missing required parameter: 'model'.")
  require(Array.isArray(body.input), "Invalid type for 'input'.")
  const most = body.max_output_tokens
  require(most === undefined ||
    (typeof most === 'number' &&
      most >=
        16), "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.", 'integer_below_min_value')
  const thinks = !/^gpt-4/.test(body.model)
  require(thinks ||
    !list(body.include).includes(
      'reasoning.encrypted_content',
    ), 'Encrypted content is not supported with this model.')
  require(thinks ||
    body.reasoning ===
      undefined, `Unsupported parameter: 'reasoning.effort' is not supported with this model.`, 'unsupported_parameter')
  for (const [group, names] of [
    ['reasoning', ['effort', 'summary', 'context', 'mode', 'generate_summary']],
    ['text', ['format', 'verbosity']],
  ] as const) {
    for (const name of Object.keys(object(body[group])))
      require(names.some((known) => known === name), `Unknown parameter: '${group}.${name}'.`)
  }
}

function checkTools(body: Json): void {
  const tools = list(body.tools).map(object)
  const names = tools.map(({ name }) => name)
  for (const tool of tools) {
    for (const name of Object.keys(tool))
      require(toolFields.has(name), `Unknown parameter: 'tools[0].${name}'.`, 'unknown_parameter')
    require(tool.type === 'function', `Invalid value: '${String(tool.type)}'.`)
    require(/^[\w-]{1,64}$/.test(String(tool.name)), "Invalid 'tools[0].name'.")
    if (tool.strict !== false) checkStrict(String(tool.name), tool.parameters, '()')
  }
  require(new Set(names).size === names.length, 'Tool names must be unique.')
  const choice = body.tool_choice
  if (choice === undefined) return
  require(tools.length > 0, "Tool choice 'required' must be specified with 'tools' parameter.")
  const named = object(choice).name
  require(named === undefined || names.includes(named), `Tool choice not found in 'tools'.`)
}

const toolFields = new Set(['type', 'name', 'description', 'parameters', 'strict'])

function checkStrict(name: string, schema: unknown, context: string): void {
  const refuse = (holds: boolean, what: string) =>
    require(holds, `Invalid schema for function '${name}': In context=${context}, ${what}`, 'invalid_function_parameters')
  refuse(typeof schema === 'object' && schema !== null, 'schema must be an object.')
  const { type, properties, required, ...rest } = object(schema)
  if (context === '()') refuse(type === 'object', 'schema must have type "object".')
  for (const word of [
    'allOf',
    'oneOf',
    'not',
    'if',
    'then',
    'else',
    'patternProperties',
    'default',
  ])
    refuse(!(word in rest), `'${word}' is not permitted.`)
  if (type === 'object' || properties !== undefined) {
    refuse(rest.additionalProperties === false, "'additionalProperties' is required to be false.")
    const names = Object.keys(object(properties))
    const missing = names.filter((key) => !list(required).includes(key))
    refuse(missing.length === 0, `'required' must include every key. Missing '${missing[0]}'.`)
    refuse(Array.isArray(required), "'required' is required to be supplied and to be an array.")
  }
  for (const [key, value] of Object.entries(object(properties)))
    checkStrict(name, value, `('${key}')`)
  if (rest.items !== undefined) checkStrict(name, rest.items, `('items')`)
  for (const branch of list(rest.anyOf)) checkStrict(name, branch, `('anyOf')`)
}

type Seen = { calls: Set<string>; outputs: Set<string>; reasoning: Set<string> }

function checkInput(body: Json): void {
  const items = list(body.input).map(object)
  const seen: Seen = { calls: new Set(), outputs: new Set(), reasoning: new Set() }
  for (const [index, item] of items.entries()) checkItem(item, items[index + 1], index, seen)
  for (const callId of seen.calls)
    require(seen.outputs.has(callId), `No tool output found for function call ${callId}.`)
}

function checkItem(item: Json, next: Json | undefined, index: number, seen: Seen): void {
  const type = item.type ?? 'message'
  const prefix = { reasoning: 'rs', function_call: 'fc', message: 'msg' }[String(type)]
  if (item.id !== undefined)
    require(String(item.id).startsWith(
      `${prefix}_`,
    ), `Invalid 'input[${index}].id': '${String(item.id)}'. Expected an ID that begins with '${prefix}'.`)
  if (type === 'message') checkMessage(item, index)
  else if (type === 'reasoning') checkReasoning(item, next, seen)
  else if (type === 'function_call') checkCall(item, index, seen)
  else if (type === 'function_call_output') checkOutput(item, seen)
  else throw new Refused(`Invalid value: '${String(type)}'. Supported values are: 'message'…`)
}

function checkOutput(item: Json, seen: Seen): void {
  const callId = String(item.call_id)
  require(seen.calls.has(
    callId,
  ), `No tool call found for function call output with call_id ${callId}.`)
  require(!seen.outputs.has(callId), `Duplicate output for function call ${callId}.`)
  require(typeof item.output === 'string' || Array.isArray(item.output), 'Missing output.')
  seen.outputs.add(callId)
}

function checkMessage({ role, content }: Json, index: number): void {
  const kinds =
    role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file']
  require(['user', 'assistant', 'system', 'developer'].includes(
    String(role),
  ), `Invalid value for 'input[${index}].role'.`)
  if (typeof content === 'string') return
  for (const part of list(content).map(object))
    require(kinds.includes(String(part.type)), `Invalid value: '${String(part.type)}'.`)
}

function checkReasoning(item: Json, next: Json | undefined, seen: Seen): void {
  const id = String(item.id)
  const sealed = item.encrypted_content
  require(typeof sealed ===
    'string', `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`)
  const summary = list(item.summary)
    .map((part) => String(object(part).text))
    .join('')
  require(sealed ===
    sealReasoning(
      id,
      summary,
    ), 'The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.', 'invalid_encrypted_content')
  const follower = String(next?.type ?? 'message')
  require(next !== undefined &&
    (follower === 'function_call' ||
      (follower === 'message' &&
        next.role ===
          'assistant')), `Item '${id}' of type 'reasoning' was provided without its required following item.`)
  seen.reasoning.add(id)
}

function checkCall(item: Json, index: number, seen: Seen): void {
  const callId = String(item.call_id)
  require(typeof item.call_id ===
    'string', `Missing required parameter: 'input[${index}].call_id'.`)
  require(callId.length <= 64, `Invalid 'input[${index}].call_id': string too long.`)
  require(!seen.calls.has(callId), `Duplicate function call id ${callId}.`)
  require(typeof item.arguments === 'string', `Invalid type for 'input[${index}].arguments'.`)
  const reasoned = /^fc_(.*)-reasoned-\d+$/.exec(String(item.id))
  require(reasoned === null ||
    seen.reasoning.has(
      `rs_${reasoned[1]}`,
    ), `Item '${String(item.id)}' of type 'function_call' was provided without its required 'reasoning' item: 'rs_${reasoned?.[1]}'.`)
  seen.calls.add(callId)
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}
