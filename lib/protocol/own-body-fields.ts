import type { JsonObject } from './configuration-options'
import type { ModelTarget } from './model-target'

type Wire = ModelTarget['wire']

const chatCompletions = [
  'model',
  'messages',
  'tools',
  'functions',
  'function_call',
  'stream',
  'stream_options',
  'n',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'seed',
  'reasoning_effort',
  'verbosity',
  'tool_choice',
  'parallel_tool_calls',
  'service_tier',
  'response_format',
]

const responses = [
  'model',
  'input',
  'instructions',
  'tools',
  'stream',
  'temperature',
  'top_p',
  'max_output_tokens',
  'reasoning.effort',
  'reasoning.summary',
  'text.verbosity',
  'text.format',
  'tool_choice',
  'parallel_tool_calls',
  'service_tier',
  // What a provider would keep or run beside our request.
  'store',
  'include',
  'background',
  'conversation',
  'previous_response_id',
]

/** What Toolgate itself writes into the body of a request, by wire; a dot leads into an object. */
const ownBodyFields: Record<Wire, readonly string[]> = {
  openai: responses,
  'openai-compatible': chatCompletions,
  'azure-openai': [...new Set([...responses, ...chatCompletions])],
  anthropic: [
    'model',
    'messages',
    'system',
    'tools',
    'stream',
    'max_tokens',
    'stop_sequences',
    'thinking',
    'output_config.effort',
    'output_config.format',
    'tool_choice',
    'service_tier',
  ],
  ollama: [
    'model',
    'messages',
    'tools',
    'stream',
    'think',
    'format',
    'options.temperature',
    'options.top_p',
    'options.num_predict',
    'options.stop',
    'options.seed',
  ],
  bedrock: [
    'modelId',
    'messages',
    'system',
    'toolConfig',
    'inferenceConfig.maxTokens',
    'inferenceConfig.temperature',
    'inferenceConfig.topP',
    'inferenceConfig.stopSequences',
    'serviceTier',
    'outputConfig',
    'additionalModelRequestFields.thinking',
    'additionalModelRequestFields.output_config.effort',
    'additionalModelRequestFields.reasoning_effort',
    'additionalModelRequestFields.reasoningConfig',
  ],
  gemini: [
    'contents',
    'systemInstruction',
    'tools',
    'toolConfig',
    'serviceTier',
    'generationConfig.temperature',
    'generationConfig.topP',
    'generationConfig.maxOutputTokens',
    'generationConfig.stopSequences',
    'generationConfig.seed',
    'generationConfig.thinkingConfig',
    'generationConfig.candidateCount',
    'generationConfig.responseMimeType',
    'generationConfig.responseSchema',
    'generationConfig.responseJsonSchema',
    // Google reads names in this spelling, too.
    'system_instruction',
    'tool_config',
    'service_tier',
    'generation_config',
    'generationConfig.top_p',
    'generationConfig.max_output_tokens',
    'generationConfig.stop_sequences',
    'generationConfig.thinking_config',
    'generationConfig.candidate_count',
    'generationConfig.response_mime_type',
    'generationConfig.response_schema',
    'generationConfig.response_json_schema',
    // What stands before our request and is charged with it.
    'cachedContent',
    'cached_content',
  ],
  demo: [],
}

/** Returns the fields of `extra` that Toolgate sets itself on this wire. */
export function fieldsSetByUs(wire: Wire, extra: JsonObject): string[] {
  return ownBodyFields[wire].filter((path) => reaches(extra, path.split('.')))
}

/** Whether an object says something at a path, or puts something there that is no object. */
function reaches(value: unknown, [name, ...rest]: string[]): boolean {
  if (name === undefined) return true
  if (!isObject(value)) return true
  return Object.hasOwn(value, name) && reaches(value[name], rest)
}

/** Adds further fields to the body of a request. What the body has, or Toolgate may set, always stays as it is. */
export function withExtraBody<T extends object>(
  wire: Wire,
  body: T,
  extra: JsonObject | null | undefined,
): T {
  if (!extra) return body
  // Every field of the body stays.
  return merged(body, extra, { own: ownBodyFields[wire], prefix: '' }) as T
}

function merged(
  body: object,
  extra: object,
  { own, prefix }: { own: readonly string[]; prefix: string },
): object {
  const fields = new Map<string, unknown>(Object.entries(body))
  for (const [name, value] of Object.entries(extra)) {
    const path = `${prefix}${name}`
    if (own.includes(path)) continue
    const here = fields.get(name)
    const isShared = isObject(here) || own.some((each) => each.startsWith(`${path}.`))
    if (!isShared && here === undefined) fields.set(name, value)
    if (isShared && isObject(value)) {
      fields.set(name, merged(isObject(here) ? here : {}, value, { own, prefix: `${path}.` }))
    }
  }
  return Object.fromEntries(fields)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
