import type { ToolFilter } from '@/components/nouns/tool-filter'

export const stateWords: Record<ToolFilter['state'], string> = {
  all: 'Any state',
  on: 'On',
  off: 'Off',
  changed: 'Changed from default',
}
