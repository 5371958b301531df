import { runPill } from '@/components/trace/run-words'
import { StatePill } from '@/components/ui/state-pill'
import { callProblemsOf } from '@/lib/protocol/panel/panel-column'
import type { PanelMember } from '@/lib/protocol/panel/panel-start'
import { callProblemWords } from '@/lib/protocol/run/call-facts'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { answerOf } from '@/lib/protocol/run/run-answer'

/** Shows how a member stands: also one without a run, which was refused or waits for its turn. */
export function MemberPill({
  member: { refusal },
  state,
}: {
  member: Pick<PanelMember, 'refusal'>
  state: RunState | undefined
}) {
  if (state) {
    const { state: pill, words } = pillOf(state)
    return (
      <StatePill state={pill} className="max-w-full">
        <span className="truncate">{words}</span>
      </StatePill>
    )
  }
  return refusal === null ? (
    <StatePill state="waiting">Waits for its turn</StatePill>
  ) : (
    <StatePill state="denied">Not started</StatePill>
  )
}

/** Returns the pill of a member, which is not green when a call of it did not end well. */
function pillOf(state: RunState) {
  if (isMarked(state)) return { state: 'warning' as const, words: 'Unexpected format, text kept' }
  const { end, rounds, waitingSince, cancelRequested } = state
  if (!end && rounds.length === 0) return { state: 'waiting' as const, words: 'Starting' }
  if (!end && waitingSince !== null && !cancelRequested)
    return { state: 'waiting' as const, words: 'Waiting for approval' }
  const { pill, word } = runPill(state)
  const problems = callProblemWords(callProblemsOf(state))
  return {
    state: problems && pill === 'ok' ? ('warning' as const) : pill,
    words: [word, problems].filter(Boolean).join(' · '),
  }
}

/** Returns whether a role ended with a text that has not the form of its envelope: others get it, marked (SPEC Q2). */
export function isMarked(state: RunState): boolean {
  const { start, end } = state
  return Boolean(start?.panelRole) && end?.reason === 'invalid-output' && answerOf(state) !== ''
}
