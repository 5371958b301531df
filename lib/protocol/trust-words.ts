import { inSentence } from './format'
import type { ModelTarget, TrustZone } from './model-target'
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
