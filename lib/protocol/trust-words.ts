import { inSentence } from '@/lib/words/format'
import type { ModelTarget, TrustZone } from './model/model-target'
import type { DataClass, Effect } from './tool'

/** The words for trust zones, on every page. */
export const zoneWords: Record<TrustZone, string> = {
  local: 'Local',
  private: 'Private',
  'external-eu': 'External, EU',
  'external-global': 'External, global',
}

/** The words for data classes, on every page. */
export const dataClassWords: Record<DataClass, string> = {
  public: 'Public',
  content: 'Content',
  'source-code': 'Source code',
  'internal-config': 'Internal configuration',
  diagnostics: 'Diagnostics',
  'secret-adjacent': 'Secret-adjacent',
}

/** Each data class with examples, for the person who decides what a provider may receive. */
export const dataClassMeaning: Record<DataClass, string> = {
  public: 'Public: information anybody may know',
  content: 'Content: text written for readers',
  'source-code': 'Source code: code and build files',
  'internal-config': 'Internal configuration: names, settings, structure',
  diagnostics: 'Diagnostics: logs, accounts, state of this installation',
  'secret-adjacent': 'Secret-adjacent: data that may contain or lead to secrets',
}

/** The words for what tools do, on every page. */
export const effectWords: Record<Effect, string> = {
  read: 'Reads',
  'idempotent-write': 'Writes, safe to repeat',
  write: 'Writes',
}

/** Returns "internal configuration". */
export function dataClassInSentence(dataClass: DataClass): string {
  return inSentence(dataClassWords[dataClass])
}

/** Returns what the trust zone of a provider is called. */
export function zoneWord({ trustZone }: Pick<ModelTarget, 'trustZone'>): string {
  return zoneWords[trustZone]
}
