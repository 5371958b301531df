import type { JsonObject } from '@/lib/protocol/parameters/parameter-values'
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
  // Other names of the limit of an answer, and of the number of answers.
  'n_predict',
  'best_of',
  'use_beam_search',
  // Fields that cost more than the counted tokens, or store or run something beside the request.
  'web_search_options',
  'search_parameters',
  'enable_search',
  'search_options',
  'data_sources',
  'enhancements',
  'speed',
  'modalities',
  'audio',
  'prediction',
  'store',
  'background',
  // Fields that let a gateway choose another model or change the request.
  'models',
  'route',
  'fallbacks',
  'preset',
  'plugins',
  'transforms',
  'extra_body.google.cached_content',
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
  'reasoning.generate_summary',
  'text.verbosity',
  'text.format',
  'tool_choice',
  'parallel_tool_calls',
  'service_tier',
  // Fields that make a provider store or run something beside the request.
  'store',
  'include',
  'background',
  'conversation',
  'previous_response_id',
  'prompt',
  'max_tool_calls',
  // Toolgate decides which rounds are left out.
  'truncation',
  'context_management',
]

/** Fields that Toolgate itself writes into the body of a request, by API type; a dot leads into an object. */
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
    'output_format',
    // Toolgate decides which parts the provider caches, and which rounds are left out.
    'cache_control',
    'context_management',
    'compaction',
    'thread',
    // Fields that run something beside the request, choose another model, or cost more than the model's prices.
    'mcp_servers',
    'container',
    'fallbacks',
    'speed',
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
    'additionalModelRequestFields.model',
    'additionalModelRequestFields.messages',
    'additionalModelRequestFields.system',
    'additionalModelRequestFields.tools',
    'additionalModelRequestFields.tool_choice',
    'additionalModelRequestFields.anthropic_beta',
    'additionalModelRequestFields.mcp_servers',
    'additionalModelRequestFields.container',
    'additionalModelRequestFields.speed',
    'additionalModelRequestFields.cache_control',
    'additionalModelRequestFields.context_management',
    'additionalModelRequestFields.compaction',
    'additionalModelRequestFields.fallbacks',
    'additionalModelRequestFields.n',
    'additionalModelRequestFields.num_generations',
    'additionalModelRequestFields.max_gen_len',
    'additionalModelRequestFields.inferenceConfig.maxTokens',
    'additionalModelRequestFields.inferenceConfig.max_new_tokens',
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
    'generationConfig.responseModalities',
    'generationConfig.responseFormat',
    // Fields that choose another model.
    'generationConfig.routingConfig',
    'generationConfig.modelSelectionConfig',
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
    'generationConfig.response_modalities',
    'generationConfig.response_format',
    'generationConfig.routing_config',
    'generationConfig.model_selection_config',
    // Content that is put before the request and charged with it, or stored.
    'cachedContent',
    'cached_content',
    'store',
  ],
  demo: [],
}

/** Every spelling of a limit of tokens: `max_new_tokens`, `maxTokens`, `max_tokens_to_sample`. */
const tokenLimit = /^max\w*token/i
/** Limits stand in the body or in an object of it; what is deeper, such as a schema, may have names like these. */
const deepestLimit = 2

/** Returns the fields of `extra` that Toolgate sets itself on this wire. */
export function fieldsSetByUs(wire: Wire, extra: JsonObject): string[] {
  const own = ownBodyFields[wire].filter((path) => reaches(extra, path.split('.')))
  return [...new Set([...own, ...tokenLimits(extra)])]
}

/**
 * Returns why requests cannot be sent with these extra body fields, for people; null = they can. Toolgate may have
 * begun to set one of them itself after they were stored, or a model may have another API type now.
 */
export function extraBodyFault(
  extra: JsonObject | null | undefined,
  chain: readonly { wire: Wire; modelName: string }[],
): string | null {
  if (!extra) return null
  for (const { wire, modelName } of chain) {
    const taken = fieldsSetByUs(wire, extra)
    if (taken.length === 0) continue
    const them = taken.length === 1 ? 'it' : 'them'
    return `Its extra body fields contain ${listOf(taken)}, which Toolgate sets itself for ${modelName}. Edit the configuration and remove ${them}.`
  }
  return null
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}

function tokenLimits(extra: object, prefix: readonly string[] = []): string[] {
  return Object.entries(extra).flatMap(([name, value]) => {
    const path = [...prefix, name]
    if (tokenLimit.test(name)) return [path.join('.')]
    return isObject(value) && path.length < deepestLimit ? tokenLimits(value, path) : []
  })
}

/** Returns whether an object has a value at a path, or something that is no object on the way. */
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
  return merged(body, extra, { own: ownBodyFields[wire], at: [] }) as T
}

function merged(
  body: object,
  extra: object,
  { own, at }: { own: readonly string[]; at: readonly string[] },
): object {
  const fields = new Map<string, unknown>(Object.entries(body))
  const mayLimit = at.length < deepestLimit
  for (const [name, value] of Object.entries(extra)) {
    const inside = [...at, name]
    const path = inside.join('.')
    if (own.includes(path) || (mayLimit && tokenLimit.test(name))) continue
    const here = fields.get(name)
    const isShared = isObject(here) || own.some((each) => each.startsWith(`${path}.`))
    if (isObject(value) && (isShared || (mayLimit && here === undefined))) {
      fields.set(name, merged(isObject(here) ? here : {}, value, { own, at: inside }))
    } else if (!isShared && here === undefined) fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
