import type { DiscoveredModel } from './discovered-model'
import { type JsonObject, objectAt } from './json-value'
import { flagOf, tokensOf, unknownModel } from './model-facts'

/** One entry of Anthropic's list; null when it can no longer be asked. */
export function discoverAnthropic(entry: JsonObject): DiscoveredModel | null {
  const model = unknownModel(entry.id, entry.display_name)
  if (!model || entry.lifecycle === 'retired') return null
  const capabilities = objectAt(entry, 'capabilities')
  const structuredOutput = supports(capabilities, 'structured_outputs')
  return {
    ...model,
    contextTokens: tokensOf(entry.max_input_tokens),
    maxOutputTokens: tokensOf(entry.max_tokens),
    // Structured output is said to include the schemas of tools; nothing else in the list speaks of tools.
    toolCalling: structuredOutput ? 'confirmed' : 'unconfirmed',
    structuredOutput,
    vision: supports(capabilities, 'image_input'),
    reasoning: supports(capabilities, 'thinking'),
  }
}

function supports(capabilities: JsonObject, name: string): boolean | null {
  return flagOf(objectAt(capabilities, name).supported)
}
