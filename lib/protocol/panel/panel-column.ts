import type { CallProblems } from '@/lib/protocol/run/call-facts'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { CallView, RoundView } from '@/lib/protocol/run/round-view'

/**
 * Returns a state without what the page of a panel does not show: results, reasoning, skills and system prompt. Further events
 * can be folded onto it. Eight members with long results would be too much for one page.
 */
export function columnState(state: RunState): RunState {
  const { start } = state
  return {
    ...state,
    start: start && {
      ...start,
      snapshot: { ...start.snapshot, systemPrompt: '', skills: [] },
      accepted: start.accepted.map((tool) => ({ ...tool, description: '' })),
    },
    rounds: state.rounds.map(columnRound),
  }
}

function columnRound(round: RoundView): RoundView {
  return { ...round, reasoning: [], reasoningText: '', calls: round.calls.map(columnCall) }
}

function columnCall(call: CallView): CallView {
  const approval = call.approval && { ...call.approval, preview: undefined }
  return { ...call, approval, state: columnCallState(call.state) }
}

function columnCallState(state: CallView['state']): CallView['state'] {
  if (state.type === 'running') return { ...state, before: undefined }
  if (state.type === 'pending') return state
  const { check: _, outcome, ...ended } = state
  if (outcome.type !== 'ok') return { ...ended, outcome }
  return { ...ended, outcome: { ...outcome, content: '', artifacts: [], images: [] } }
}

/** Returns how many calls of a run did not end well. */
export function callProblemsOf({ rounds }: Pick<RunState, 'rounds'>): CallProblems {
  const problems = { failed: 0, denied: 0, timedOut: 0 }
  for (const { state } of rounds.flatMap(({ calls }) => calls)) {
    if (state.type !== 'ended') continue
    const { type } = state.outcome
    if (type === 'denied') problems.denied += 1
    if (type === 'timed-out') problems.timedOut += 1
    if (type === 'failed' || type === 'invalid-arguments') problems.failed += 1
  }
  return problems
}
