import { ReasoningEffort } from './configuration-options'
import type { ModelParameter, ModelTarget } from './model-target'

type Wire = ModelTarget['wire']
type Taking = Pick<ModelTarget, 'wire' | 'unsupportedParameters' | 'reasoning' | 'reasoningEfforts'>

const chatCompletions: readonly ModelParameter[] = [
  'temperature',
  'topP',
  'stop',
  'seed',
  'reasoningEffort',
  'verbosity',
  'toolChoice',
  'parallelToolCalls',
  'serviceTier',
]

const responses = chatCompletions.filter((name) => name !== 'stop' && name !== 'seed')

/** The parameters that each wire has a place for. */
const wireParameters: Record<Wire, readonly ModelParameter[]> = {
  openai: responses,
  'openai-compatible': chatCompletions,
  // Responses, unless the connection says otherwise; what only Chat Completions takes is not sent there either.
  'azure-openai': responses,
  anthropic: ['stop', 'reasoningEffort', 'toolChoice', 'parallelToolCalls', 'serviceTier'],
  ollama: ['temperature', 'topP', 'stop', 'seed', 'reasoningEffort'],
  bedrock: ['temperature', 'topP', 'stop', 'reasoningEffort', 'toolChoice', 'serviceTier'],
  gemini: ['temperature', 'topP', 'stop', 'seed', 'reasoningEffort', 'toolChoice', 'serviceTier'],
  demo: [],
}

/** Whether a wire has a place for a parameter, whatever the model. */
export function hasPlaceFor(wire: Wire, name: ModelParameter): boolean {
  return wireParameters[wire].includes(name)
}

/** Whether a parameter is sent to a model: its wire has a place for it, and the model is not known to refuse it. */
export function takesParameter(model: Taking, name: ModelParameter): boolean {
  if (name === 'reasoningEffort' && model.reasoning === false) return false
  // Journals from before have no such list.
  const refused = model.unsupportedParameters ?? []
  return hasPlaceFor(model.wire, name) && !refused.includes(name)
}

/** The efforts a model may be asked for, least first; all of them where that is not known. */
export function takenEfforts(model: Taking): ReasoningEffort[] {
  if (!takesParameter(model, 'reasoningEffort')) return []
  const known = model.reasoningEfforts ?? []
  return ReasoningEffort.options.filter((effort) => known.length === 0 || known.includes(effort))
}

/** The effort that is sent: the one wanted, else the nearest lower one that the model takes, else its lowest. */
export function sentEffort(model: Taking, wanted: ReasoningEffort | null): ReasoningEffort | null {
  if (wanted === null) return null
  const taken = takenEfforts(model)
  const most = ReasoningEffort.options.indexOf(wanted)
  const lower = taken.filter((effort) => ReasoningEffort.options.indexOf(effort) <= most)
  return lower.at(-1) ?? taken[0] ?? null
}
