import type { ConfigurationOptions } from '@/lib/protocol/configuration-options'
import type { ModelParameters, RequestOptions } from '@/lib/protocol/model-event'
import { refusesForcedTools } from '@/lib/protocol/model-families'
import { ModelParameter, type ModelTarget } from '@/lib/protocol/model-target'
import { effortWords, wireWords } from '@/lib/protocol/setting-words'
import { hasPlaceFor, sentEffort, takesParameter } from '@/lib/protocol/taken-parameters'

/**
 * The configuration's parameters as this model takes them: what it refuses is left out, effort is one that it takes, and
 * it is not asked for more than it can write. Adapters leave out what their whole wire does not know.
 */
export function sentParameters(target: ModelTarget, wanted: ModelParameters): ModelParameters {
  const refused = target.unsupportedParameters ?? []
  const most = target.maxOutputTokens ?? Number.POSITIVE_INFINITY
  return {
    temperature: refused.includes('temperature') ? null : wanted.temperature,
    topP: refused.includes('topP') ? null : wanted.topP,
    maxOutputTokens: wanted.maxOutputTokens && Math.min(wanted.maxOutputTokens, most),
    stop: refused.includes('stop') ? [] : wanted.stop,
    seed: refused.includes('seed') ? null : wanted.seed,
    reasoningEffort: sentEffort(target, wanted.reasoningEffort),
  }
}

type Asking = {
  wanted: { parameters: ModelParameters; options: ConfigurationOptions }
  /** Those that are sent. */
  parameters: ModelParameters
  /** The names of the tools that are offered. */
  offered: readonly string[]
  isFirstRound: boolean
}

/** The options of a request, and what is sent otherwise than it was set, a sentence each. */
export type SentOptions = { options: RequestOptions; notes: string[] }

/** The configuration's options as this model takes them in this round. */
export function sentOptions(target: ModelTarget, asking: Asking): SentOptions {
  const { options } = asking.wanted
  const { choice, note } = toolChoiceOf(target, asking)
  const calls = asking.offered.length > 0 && takesParameter(target, 'parallelToolCalls')
  const notes = [note, effortNote(target, asking)].filter((each) => each !== null)
  return {
    options: {
      verbosity: takesParameter(target, 'verbosity') ? options.verbosity : null,
      toolChoice: choice,
      parallelToolCalls: calls ? options.parallelToolCalls : null,
      serviceTier: takesParameter(target, 'serviceTier') ? options.serviceTier : null,
      extraBody: options.extraBody,
      promptCaching: options.promptCaching,
      outputSchema: options.outputSchema,
    },
    notes,
  }
}

/** A forced choice holds for the first round: no run would come to an answer otherwise. */
function toolChoiceOf(
  target: ModelTarget,
  { wanted: { options }, parameters, offered, isFirstRound }: Asking,
): { choice: RequestOptions['toolChoice']; note: string | null } {
  const { toolChoice: wanted } = options
  if (wanted === null || offered.length === 0 || !takesParameter(target, 'toolChoice')) {
    return { choice: null, note: null }
  }
  if (!isFirstRound) return { choice: 'auto', note: null }
  if (typeof wanted === 'object' && !offered.includes(wanted.tool)) {
    const note = `The configuration asks for a call of ${wanted.tool}, which is not offered in this run. The model chooses instead.`
    return { choice: 'auto', note }
  }
  const isForced = wanted !== 'auto' && wanted !== 'none'
  if (isForced && refusesForcedTools(target, parameters.reasoningEffort)) {
    const note = `${target.modelId} cannot be made to call a tool while it reasons. The model chooses instead.`
    return { choice: 'auto', note }
  }
  return { choice: wanted, note: null }
}

function effortNote({ modelId }: ModelTarget, { wanted, parameters }: Asking): string | null {
  const [set, sent] = [wanted.parameters.reasoningEffort, parameters.reasoningEffort]
  if (set === null || sent === null || set === sent) return null
  const words = (effort: typeof set) => effortWords[effort].toLowerCase()
  return `${modelId} does not take the reasoning effort ${words(set)}. It is asked for ${words(sent)}.`
}

type Wanted = {
  parameters: ModelParameters
  /** Absent in journals from before. */
  options: ConfigurationOptions | undefined
  hasTools: boolean
  isFirstRound: boolean
}

const subjects: Record<ModelParameter, string> = {
  temperature: 'Temperature is',
  topP: 'Top-p is',
  stop: 'Stop sequences are',
  seed: 'Seed is',
  reasoningEffort: 'Reasoning effort is',
  verbosity: 'Verbosity is',
  toolChoice: 'Tool choice is',
  parallelToolCalls: 'The setting for parallel tool calls is',
  serviceTier: 'Service tier is',
}

/** What the configuration sets and this model is not sent, a sentence each. The demo is not sent anything. */
export function unsentNotes(target: ModelTarget, wanted: Wanted): string[] {
  const { wire, modelId } = target
  if (wire === 'demo') return []
  return ModelParameter.options
    .filter((name) => isSet(name, wanted, target) && !takesParameter(target, name))
    .map((name) => {
      const who = hasPlaceFor(wire, name) ? modelId : wireWords[wire]
      return `${subjects[name]} not sent: ${who} does not take ${name === 'stop' ? 'them' : 'it'}.`
    })
}

function isSet(name: ModelParameter, wanted: Wanted, { reasoning }: ModelTarget): boolean {
  const { parameters, options, hasTools, isFirstRound } = wanted
  switch (name) {
    case 'temperature':
    case 'topP':
    case 'seed':
      return parameters[name] !== null
    case 'stop':
      return parameters.stop.length > 0
    case 'reasoningEffort':
      // A model that does not reason does what it is asked for.
      return parameters[name] !== null && !(parameters[name] === 'none' && reasoning === false)
    case 'toolChoice':
      return hasTools && isFirstRound && (options?.toolChoice ?? null) !== null
    case 'parallelToolCalls':
      return hasTools && (options?.parallelToolCalls ?? null) !== null
    case 'verbosity':
    case 'serviceTier':
      return (options?.[name] ?? null) !== null
  }
}
