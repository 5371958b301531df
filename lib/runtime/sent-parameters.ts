import type { ModelParameters } from '@/lib/protocol/model-event'
import type { ModelTarget } from '@/lib/protocol/model-target'

const unset: Pick<ModelParameters, 'temperature' | 'topP' | 'stop' | 'seed' | 'reasoningEffort'> = {
  temperature: null,
  topP: null,
  stop: [],
  seed: null,
  reasoningEffort: null,
}

/**
 * The configuration's parameters as this model takes them: what it refuses is left out, effort where it is known not to
 * reason, and it is not asked for more than it can write. Adapters leave out what their whole wire does not know.
 */
export function sentParameters(
  { unsupportedParameters, maxOutputTokens, reasoning }: ModelTarget,
  parameters: ModelParameters,
): ModelParameters {
  const most = maxOutputTokens ?? Number.POSITIVE_INFINITY
  const sent = {
    ...parameters,
    maxOutputTokens: parameters.maxOutputTokens && Math.min(parameters.maxOutputTokens, most),
    reasoningEffort: reasoning === false ? null : parameters.reasoningEffort,
  }
  // Journals from before have no such list.
  for (const name of unsupportedParameters ?? []) {
    if (name in unset) Object.assign(sent, { [name]: unset[name as keyof typeof unset] })
  }
  return sent
}
