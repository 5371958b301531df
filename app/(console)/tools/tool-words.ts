import type { DataClass, Effect } from '@/lib/protocol/tool'

export const effectWords: Record<Effect, string> = {
  read: 'Reads',
  'idempotent-write': 'Writes, repeatable',
  write: 'Writes',
}

export const dataClassWords: Record<DataClass, string> = {
  public: 'Public',
  content: 'Content',
  'source-code': 'Source code',
  'internal-config': 'Internal configuration',
  diagnostics: 'Diagnostics',
  'secret-adjacent': 'Secret-adjacent',
}

export function onOrOff(enabled: boolean): string {
  return enabled ? 'On' : 'Off'
}
