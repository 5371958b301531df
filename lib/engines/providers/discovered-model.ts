import type { ModelTarget } from '@/lib/protocol/model-target'

/** What a provider says about one of its models. null = it does not say. Tokens are whole and positive. */
export type DiscoveredModel = {
  modelId: string
  displayName: string
  contextTokens: number | null
  maxOutputTokens: number | null
  toolCalling: ModelTarget['toolCalling']
  structuredOutput: boolean | null
  vision: boolean | null
  reasoning: boolean | null
}
