import type { CostCapMode, ToolMode } from './configuration-form'
import type { TrustZone } from './model-target'
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

/** "internal configuration" */
export function dataClassInSentence(dataClass: DataClass): string {
  return inSentence(dataClassWords[dataClass])
}

/** What a switch says. */
export function onOrOff(on: boolean): string {
  return on ? 'On' : 'Off'
}

export const toolModeWords: Record<ToolMode, string> = {
  auto: 'Automatic',
  native: 'Native',
  prompted: 'Prompted',
}

/** What happens when a run passes its cost cap. */
export const costCapModeWords: Record<CostCapMode, string> = {
  warn: 'Warn only',
  enforce: 'Stop with a final answer',
  off: 'Off: the value is kept but has no effect',
}
