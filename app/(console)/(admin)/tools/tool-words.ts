import type { ToolFilter } from '@/components/nouns/tool-filter'
import type { Effect } from '@/lib/protocol/tool'

export const effectWords: Record<Effect, string> = {
  read: 'Reads',
  'idempotent-write': 'Writes, safe to repeat',
  write: 'Writes',
}

export const stateWords: Record<ToolFilter['state'], string> = {
  all: 'Any state',
  on: 'On',
  off: 'Off',
  changed: 'Changed from default',
}
