import type { RemoteWire } from './ask-for-models'
import { discoverAnthropic } from './discover-anthropic'
import { bedrockEntries, discoverBedrock } from './discover-bedrock'
import { discoverCompatible } from './discover-compatible'
import { discoverGemini } from './discover-gemini'
import { discoverOllama } from './discover-ollama'
import type { DiscoveredModel } from './discovered-model'
import { isObject, type JsonObject, listAt } from './json-value'

/** The most models that are read of one provider. */
const mostModels = 2_000

const discover = {
  openai: discoverCompatible,
  'openai-compatible': discoverCompatible,
  'azure-openai': discoverCompatible,
  bedrock: discoverBedrock,
  gemini: discoverGemini,
  anthropic: discoverAnthropic,
  ollama: discoverOllama,
} satisfies Record<RemoteWire, (entry: JsonObject) => DiscoveredModel | null>

/** The models in an answer to `askForModels`, each id once; null when it is not the answer of that wire. */
export function readModelList(wire: RemoteWire, answer: unknown): DiscoveredModel[] | null {
  const entries = entriesOf(wire, answer)
  if (!entries) return null
  const models = new Map<string, DiscoveredModel>()
  for (const entry of entries) {
    if (models.size >= mostModels) break
    const model = isObject(entry) ? discover[wire](entry) : null
    if (model && !models.has(model.modelId)) models.set(model.modelId, model)
  }
  return [...models.values()]
}

function entriesOf(wire: RemoteWire, answer: unknown): unknown[] | null {
  // Together and GitHub answer with the bare list.
  if (Array.isArray(answer)) return wire === 'openai-compatible' ? answer : null
  if (!isObject(answer)) return null
  if (wire === 'bedrock') return bedrockEntries(answer)
  const list = answer[wire === 'ollama' || wire === 'gemini' ? 'models' : 'data']
  if (!Array.isArray(list)) return null
  return wire === 'anthropic' && !isAnthropicList(answer) ? null : list
}

/** OpenAI's list is called `data`, too. */
function isAnthropicList(answer: JsonObject): boolean {
  const isModel = (entry: unknown) => isObject(entry) && entry.type === 'model'
  return 'has_more' in answer || listAt(answer, 'data').some(isModel)
}
