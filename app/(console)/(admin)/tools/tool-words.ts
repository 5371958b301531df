import type { Effect } from '@/lib/protocol/tool'

export const effectWords: Record<Effect, string> = {
  read: 'Reads',
  'idempotent-write': 'Writes, safe to repeat',
  write: 'Writes',
}

export function onOrOff(enabled: boolean): string {
  return enabled ? 'On' : 'Off'
}
