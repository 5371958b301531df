import type { RequestOptions } from '@/lib/protocol/model/message'
import {
  hasPlaceFor,
  knowsDegrees,
  refusesForcedTools,
  sentEffort,
  takesParameter,
  thinkingLimits,
} from '@/lib/protocol/model/model-families'
import { hasClaudeLimits, takesOneSampling } from '@/lib/protocol/model/model-ids'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { fieldsSetByUs } from '@/lib/protocol/model/own-body-fields'
import { effortWords, wireWords } from '@/lib/protocol/parameters/parameter-values'
import {
  type ConfigurationOptions,
  defaultModelParameters,
  defaultOptions,
  describedParameters,
  ModelParameter,
  type ModelParameters,
  type ParameterName,
  parameterLabels,
} from '@/lib/protocol/parameters/parameters'
import { formatCount } from '@/lib/words/format'

/**
 * Returns the parameters as this model accepts them: without those it or its wire refuses, with an effort it supports,
 * and within its output limit. Adapters send all of these; the notes name the others.
 */
export function sentParameters(target: ModelTarget, wanted: ModelParameters): ModelParameters {
  const sent = withDefaults(
    wanted,
    defaultModelParameters,
    (name) => reasonNotToSend(target, wanted, name) !== null,
  )
  const most = target.maxOutputTokens ?? Number.POSITIVE_INFINITY
  return {
    ...sent,
    maxOutputTokens: sent.maxOutputTokens && Math.min(sent.maxOutputTokens, most),
    reasoningEffort: sentEffort(target, sent.reasoningEffort),
  }
}

/** Returns the values, with the default in the place of each that is set but not sent. */
function withDefaults<V extends object>(
  values: V,
  defaults: V,
  isUnsent: (name: Extract<keyof V, string>) => boolean,
): V {
  const sent = { ...values }
  for (const name in defaults) {
    if (values[name] !== defaults[name] && isUnsent(name)) sent[name] = defaults[name]
  }
  return sent
}

/** Returns why a parameter is not sent to this model, the end of a sentence; null = it is sent. */
function reasonNotToSend(
  target: ModelTarget,
  wanted: ModelParameters,
  name: ParameterName,
): string | null {
  const { wire, modelId } = target
  const it = name === 'stop' ? 'them' : 'it'
  if (!takesParameter(target, name)) {
    return `${hasPlaceFor(wire, name) ? modelId : wireWords[wire]} does not take ${it}`
  }
  if (!hasClaudeLimits(target)) return null
  const thinking = claudeThinking(target, wanted)
  if (name === 'reasoningEffort' && thinking === 'no-room') {
    return 'the output limit leaves too few tokens to reason with'
  }
  const { sampling } = describedParameters[name]
  if (sampling && thinking === 'yes') return `${modelId} does not take ${it} while it reasons`
  if (name === 'temperature' && takesOneSampling(target) && wanted.topP !== null) {
    return `${modelId} does not take it beside ${parameterLabels.topP}`
  }
  return null
}

/** Returns whether a request to a Claude model asks it to reason. */
function claudeThinking(
  target: ModelTarget,
  { maxOutputTokens, reasoningEffort }: ModelParameters,
): 'yes' | 'no' | 'no-room' {
  const effort = sentEffort(target, reasoningEffort)
  if (effort === null || effort === 'none') return 'no'
  const limits = thinkingLimits({
    modelId: target.modelId,
    parameters: { maxOutputTokens, reasoningEffort: effort },
    mostOutputTokens: target.maxOutputTokens,
  })
  return 'thinking' in limits ? 'yes' : 'no-room'
}

type Asking = {
  wanted: { parameters: ModelParameters; options: ConfigurationOptions }
  /** The parameters that are sent. */
  parameters: ModelParameters
  /** Names of the offered tools. */
  offered: readonly string[]
  isFirstRound: boolean
}

/** The options of a request, and a sentence for each that is sent otherwise than it was set. */
export type SentOptions = { options: RequestOptions; notes: string[] }

/** Returns the options as this model accepts them in this round. */
export function sentOptions(target: ModelTarget, asking: Asking): SentOptions {
  const {
    noFallbackOn: _,
    promptedHops: __,
    ...options
  } = withDefaults(asking.wanted.options, defaultOptions, (name) => !takesParameter(target, name))
  const { choice, note } = toolChoiceOf(target, asking)
  const calls = asking.offered.length > 0 && takesParameter(target, 'parallelToolCalls')
  const notes = [note, effortNote(target, asking), limitNote(target, asking)].filter(
    (each) => each !== null,
  )
  return {
    options: {
      ...options,
      toolChoice: choice,
      parallelToolCalls: calls ? options.parallelToolCalls : null,
    },
    notes,
  }
}

/** Returns the tool choice. A forced choice applies only to the first round; otherwise no run would reach an answer. */
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

function limitNote({ modelId, maxOutputTokens: most }: ModelTarget, { wanted }: Asking) {
  const { maxOutputTokens } = wanted.parameters
  if (!most || maxOutputTokens === null || maxOutputTokens <= most) return null
  return `${modelId} can write at most ${formatCount(most)} tokens, which is sent instead of the output limit of ${formatCount(maxOutputTokens)}.`
}

function effortNote({ wire, modelId }: ModelTarget, { wanted, parameters }: Asking): string | null {
  const [set, sent] = [wanted.parameters.reasoningEffort, parameters.reasoningEffort]
  if (set === null || sent === null) return null
  if (wire === 'ollama' && sent !== 'none' && !knowsDegrees(modelId)) {
    return `${modelId} is asked to reason, but not how much: Ollama takes no reasoning effort for it.`
  }
  if (set === sent) return null
  const words = (effort: typeof set) => effortWords[effort].toLowerCase()
  return `${modelId} does not take the reasoning effort ${words(set)}. It is asked for ${words(sent)}.`
}

type Wanted = {
  parameters: ModelParameters
  /** Absent in old journals. */
  options: ConfigurationOptions | undefined
  /** Way in which tools are offered. */
  tools: 'natively' | 'in-text' | 'none'
  isFirstRound: boolean
}

/** Starts of sentences about a parameter whose label does not fit into one. */
const subjects: { [K in ModelParameter]?: string } = {
  stop: 'Stop sequences are',
  parallelToolCalls: 'The setting for parallel tool calls is',
}

/** Returns what the configuration sets and this model is not sent, a sentence each. The demo is sent nothing. */
export function unsentNotes(target: ModelTarget, wanted: Wanted): string[] {
  const { wire } = target
  if (wire === 'demo') return []
  const all = { ...wanted.parameters, ...(wanted.options ?? defaultOptions) }
  const left = ModelParameter.options.flatMap((name) => {
    if (!isSet(all[name]) || !isWanted(name, wanted, target)) return []
    const reason = inTextReason(name, wanted) ?? reasonNotToSend(target, wanted.parameters, name)
    const subject = subjects[name] ?? `${parameterLabels[name]} is`
    return reason === null ? [] : `${subject} not sent: ${reason}.`
  })
  const fields = fieldsSetByUs(wire, wanted.options?.extraBody ?? {})
  return [
    ...left,
    ...fields.map((field) => `The extra body field ${field} is not sent: Toolgate sets it itself.`),
  ]
}

function inTextReason(name: ModelParameter, { tools }: Wanted): string | null {
  const isOfTools = name === 'toolChoice' || name === 'parallelToolCalls'
  return isOfTools && tools === 'in-text' ? 'this model asks for tools in text' : null
}

/** Journals from before do not have every parameter. */
function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : (value ?? null) !== null
}

/** Returns whether a parameter that is set would have an effect in this request. */
function isWanted(name: ModelParameter, wanted: Wanted, { reasoning }: ModelTarget): boolean {
  const { parameters, tools, isFirstRound } = wanted
  switch (name) {
    case 'reasoningEffort':
      // A model that does not reason does what it is asked for.
      return !(parameters[name] === 'none' && reasoning === false)
    case 'toolChoice':
      return tools !== 'none' && isFirstRound
    case 'parallelToolCalls':
      return tools !== 'none'
    default:
      return true
  }
}
