import { type PillState, StatePill } from '@/components/ui/state-pill'
import type { CheckMode, CheckVerdict } from '@/lib/protocol/check/check'

const looks: Record<CheckVerdict, { state: PillState; word: string }> = {
  passed: { state: 'ok', word: 'Passed' },
  failed: { state: 'error', word: 'Failed' },
  'not-run': { state: 'warning', word: 'Not run' },
}

/** Source of the results of tools, as people read it. */
export const modeWords: Record<CheckMode, string> = {
  recorded: 'Recorded results',
  live: 'Live',
}

/** Shows the verdict on a check or on one of its tries; null = it goes on. */
export function VerdictPill({ verdict }: { verdict: CheckVerdict | null }) {
  if (verdict === null) return <StatePill state="running">Running</StatePill>
  const { state, word } = looks[verdict]
  return <StatePill state={state}>{word}</StatePill>
}
