import { isBeforeGemini3, isClaudeOnBedrock, thinksByBudget } from './model-families'
import type { ModelTarget } from './model-target'
import { ReasoningEffort } from './parameter-values'

const degrees: readonly ReasoningEffort[] = ['low', 'medium', 'high']

/** The efforts that a request can ask of a model in the words of its API type, least first. */
export function wireEfforts({
  wire,
  modelId,
}: Pick<ModelTarget, 'wire' | 'modelId'>): readonly ReasoningEffort[] {
  switch (wire) {
    case 'anthropic':
      return claudeEfforts(modelId)
    case 'bedrock':
      return bedrockEfforts(modelId)
    case 'gemini':
      if (isBeforeGemini3(modelId)) return ['none', ...degrees]
      return thinksMinimally(modelId) ? ['minimal', ...degrees] : degrees
    case 'ollama':
      return knowsDegrees(modelId) ? degrees : ReasoningEffort.options
    default:
      return ReasoningEffort.options
  }
}

/** Those that take an effort know nothing below low. */
function claudeEfforts(modelId: string): readonly ReasoningEffort[] {
  const { options } = ReasoningEffort
  return thinksByBudget(modelId) ? options : options.filter((effort) => effort !== 'minimal')
}

function bedrockEfforts(modelId: string): readonly ReasoningEffort[] {
  switch (bedrockFamily(modelId)) {
    case 'claude':
      return claudeEfforts(modelId)
    case 'gpt-oss':
      return degrees
    case 'nova-2':
      return ['none', ...degrees]
    case null:
      return []
  }
}

/** The families of Amazon Bedrock that are asked to reason, each in its own words; null = any other model. */
export function bedrockFamily(modelId: string): 'claude' | 'gpt-oss' | 'nova-2' | null {
  if (isClaudeOnBedrock(modelId)) return 'claude'
  if (/(?:^|[./])openai\.gpt-oss/.test(modelId)) return 'gpt-oss'
  return /(?:^|[./])amazon\.nova-2/.test(modelId) ? 'nova-2' : null
}

/** Only Flash knows the lowest level, up to 3.6. */
export function thinksMinimally(modelId: string): boolean {
  return /gemini-3(?:\.[1-6])?-flash/.test(modelId)
}

/** Whether a model of Ollama takes a degree; every other one reasons or does not. */
export function knowsDegrees(modelId: string): boolean {
  return modelId.includes('gpt-oss')
}
