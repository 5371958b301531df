import type { DiscoveredModel } from './discovered-model'
import { isObject, type JsonObject, listAt, objectAt, textAt } from './json-value'
import { flagOf, isChatModel, unknownModel } from './model-facts'

/**
 * The entries of both lists, each profile with the facts of the model behind it. Null when it is the answer of something
 * else.
 */
export function bedrockEntries(answer: JsonObject): JsonObject[] | null {
  if (!Array.isArray(answer.modelSummaries)) return null
  const models = answer.modelSummaries.filter(isObject)
  const byId = new Map(models.map((model) => [model.modelId, model]))
  const profiles = listAt(answer, 'inferenceProfileSummaries').flatMap((profile) => {
    if (!isObject(profile) || profile.status !== 'ACTIVE') return []
    const first = objectAt({ first: listAt(profile, 'models')[0] }, 'first')
    const model = byId.get(textAt(first, 'modelArn').split('/').at(-1)) ?? {}
    const { inferenceProfileId: modelId, inferenceProfileName: modelName } = profile
    return [{ ...model, modelId, modelName, inferenceTypesSupported: ['ON_DEMAND'] }]
  })
  return [...models, ...profiles]
}

/** One entry of `bedrockEntries`; null when the Converse API cannot ask it with a stream. */
export function discoverBedrock(entry: JsonObject): DiscoveredModel | null {
  const model = unknownModel(entry.modelId, entry.modelName)
  const isAsked = listAt(entry, 'inferenceTypesSupported').includes('ON_DEMAND')
  const isStreamed = flagOf(entry.responseStreamingSupported) !== false
  const outputs = listAt(entry, 'outputModalities')
  const writes = outputs.length === 0 || outputs.includes('TEXT')
  if (!model || !isAsked || !isStreamed || !writes || !isChatModel(model.modelId)) return null
  const inputs = listAt(entry, 'inputModalities')
  return { ...model, vision: inputs.length === 0 ? null : inputs.includes('IMAGE') }
}
