import type { ToolSource } from '@/lib/protocol/run/fork'

/** Source of the results of a tool, as people pick it. `recorded`: the check says nothing of the tool. */
export const sourceWords: Record<ToolSource['type'] | 'recorded', string> = {
  recorded: 'Recorded results',
  live: 'Always call it, even if it writes',
  fixed: 'A fixed text',
  refused: 'Its calls fail',
}
