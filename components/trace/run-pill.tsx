import type { RunRow } from '@toolgate/server/runs/schemas'
import { type PillState, StatePill } from '@/components/ui/state-pill'
import { callProblemWords } from '@/lib/protocol/run/call-facts'
import { endWords } from './end-words'
import { placeWait } from './run-words'

type Run = Pick<RunRow, 'status' | 'endReason' | 'notStarted' | 'callTrouble'> & {
  /** The run waits for a place to begin. */
  waits: boolean
}

/** Shows the state of a run, with its calls that did not end well: such a run is never green. */
export function RunPill({ run }: { run: Run }) {
  const { pill, word } = stateOf(run)
  const problems = callProblemWords(run.callTrouble)
  return (
    <StatePill state={problems && pill === 'ok' ? 'warning' : pill}>
      {[word, problems].filter(Boolean).join(' · ')}
    </StatePill>
  )
}

function stateOf({ status, endReason, notStarted, waits }: Run): {
  pill: PillState
  word: string
} {
  if (endReason) return endWords(endReason, notStarted)
  switch (status) {
    case 'queued':
      return { pill: 'waiting', word: waits ? placeWait : 'Starting' }
    case 'running':
      return { pill: 'running', word: 'Running' }
    case 'waiting':
      return { pill: 'waiting', word: 'Waiting for approval' }
    case 'ended':
      return { pill: 'off', word: 'Ended' }
    default:
      return status satisfies never
  }
}
