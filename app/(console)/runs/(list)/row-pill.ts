import { endWords } from '@/components/trace/end-words'
import type { PillState } from '@/components/ui/state-pill'
import type { RunRow } from '@/lib/runs/schemas'

/** The state of a run in the list. */
export function rowPill({
  status,
  endReason,
  notStarted,
}: Pick<RunRow, 'status' | 'endReason' | 'notStarted'>): { pill: PillState; word: string } {
  if (endReason) return endWords(endReason, notStarted)
  switch (status) {
    case 'queued':
      return { pill: 'waiting', word: 'Queued' }
    case 'running':
      return { pill: 'running', word: 'Running' }
    case 'waiting':
      return { pill: 'waiting', word: 'Waiting' }
    case 'ended':
      return { pill: 'off', word: 'Ended' }
    default:
      return status satisfies never
  }
}
