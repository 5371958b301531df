import type { CostCapMode, ToolMode } from './configuration-form'
import type { ReasoningEffort } from './configuration-options'
import type { ModelTarget, TrustZone } from './model-target'
import type { DataClass } from './tool'

// What settings of a fixed set are called, on every page and in every history.

export const dataClassWords: Record<DataClass, string> = {
  public: 'Public',
  content: 'Content',
  'source-code': 'Source code',
  'internal-config': 'Internal configuration',
  diagnostics: 'Diagnostics',
  'secret-adjacent': 'Secret-adjacent',
}

export const zoneWords: Record<TrustZone, string> = {
  local: 'Local',
  private: 'Private',
  'external-eu': 'External, EU',
  'external-global': 'External, global',
}

/** A word of these within a sentence: "external, EU". */
export function inSentence(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}

export const toolModeWords: Record<ToolMode, string> = {
  auto: 'Automatic',
  native: 'Native',
  prompted: 'Prompted',
}

export const effortWords: Record<ReasoningEffort, string> = {
  none: 'None',
  minimal: 'Minimal',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Very high',
}

/** What happens when a run passes its cost cap. */
export const costCapModeWords: Record<CostCapMode, string> = {
  warn: 'Warn only',
  enforce: 'Stop with a final answer',
  off: 'Off: the value is kept but has no effect',
}

/** API types. */
export const wireWords: Record<ModelTarget['wire'], string> = {
  openai: 'OpenAI (Responses)',
  anthropic: 'Anthropic',
  ollama: 'Ollama',
  'openai-compatible': 'OpenAI-compatible (Chat Completions)',
  'azure-openai': 'Azure OpenAI',
  bedrock: 'Amazon Bedrock',
  gemini: 'Google Gemini',
  demo: 'Demo',
}
