import type { Model } from '@/lib/generated/prisma/client'
import { pick } from '@/lib/protocol/parameters/parameters'
import type { CapabilitySources, CreateModel } from './schemas'
import { Capability, type ModelFacts, modelFields, modelSchemas } from './shape'

/** Returns what is stored of a model. */
export function modelFacts(row: Model): ModelFacts {
  const { reasoningEfforts, unsupportedParameters } = modelSchemas
  return {
    ...pick(row, modelFields),
    reasoningEfforts: reasoningEfforts.parse(row.reasoningEfforts),
    unsupportedParameters: unsupportedParameters.parse(row.unsupportedParameters),
  }
}

type Known = Pick<ModelFacts, 'toolCalling' | Capability>

/** Returns the source of each known capability of a new model: reported if the provider reports it, else assumed. */
export function newSources(
  known: Known,
  reported: NonNullable<CreateModel['reported']>,
): {
  toolCallingSource: 'reported' | 'assumed' | null
  capabilitySources: CapabilitySources
} {
  const how = (name: (typeof reported)[number]) =>
    reported.includes(name) ? ('reported' as const) : ('assumed' as const)
  const capabilities = Capability.options.filter((name) => known[name] !== null)
  return {
    toolCallingSource: known.toolCalling === 'unconfirmed' ? null : how('toolCalling'),
    capabilitySources: Object.fromEntries(capabilities.map((name) => [name, how(name)])),
  }
}

/** Returns the sources after an edit: edited capabilities are assumed, emptied ones unknown, the rest stays. */
export function editedSources(
  before: CapabilitySources,
  changes: Partial<Known>,
): CapabilitySources {
  const sources = { ...before }
  for (const name of Capability.options) {
    if (changes[name] === undefined) continue
    if (changes[name] === null) delete sources[name]
    else sources[name] = 'assumed'
  }
  return sources
}
