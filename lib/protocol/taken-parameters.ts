import type { ModelTarget } from './model-target'
import { ReasoningEffort } from './parameter-values'
import { describedParameters, type ParameterName } from './parameters'
import type { Wire } from './wire'
import { wireEfforts } from './wire-efforts'

type Taking = Pick<
  ModelTarget,
  'wire' | 'modelId' | 'unsupportedParameters' | 'reasoning' | 'reasoningEfforts'
>

/** Whether a wire has a place for a parameter, whatever the model. */
export function hasPlaceFor(wire: Wire, name: ParameterName): boolean {
  return describedParameters[name].wires?.includes(wire) ?? true
}

/** Whether a parameter is sent to a model: its wire has a place for it, and the model is not known to refuse it. */
export function takesParameter(model: Taking, name: ParameterName): boolean {
  if (name === 'reasoningEffort' && effortsOf(model).length === 0) return false
  // Journals from before have no such list.
  const refused: readonly ParameterName[] = model.unsupportedParameters ?? []
  return hasPlaceFor(model.wire, name) && !refused.includes(name)
}

/** The efforts a model may be asked for, least first: what it is known to take, as far as its wire can say it. */
export function takenEfforts(model: Taking): ReasoningEffort[] {
  return takesParameter(model, 'reasoningEffort') ? effortsOf(model) : []
}

function effortsOf(model: Taking): ReasoningEffort[] {
  if (model.reasoning === false) return []
  const known = model.reasoningEfforts ?? []
  return wireEfforts(model).filter((effort) => known.length === 0 || known.includes(effort))
}

/**
 * The effort that is sent: the one wanted, else the nearest lower one that the model takes, else its lowest. A model that is
 * to reason is not asked for none, unless it knows nothing else.
 */
export function sentEffort(model: Taking, wanted: ReasoningEffort | null): ReasoningEffort | null {
  if (wanted === null) return null
  const known = takenEfforts(model)
  const reasoning = known.filter((effort) => effort !== 'none')
  const taken = wanted === 'none' || reasoning.length === 0 ? known : reasoning
  const most = ReasoningEffort.options.indexOf(wanted)
  const lower = taken.filter((effort) => ReasoningEffort.options.indexOf(effort) <= most)
  return lower.at(-1) ?? taken[0] ?? null
}
