import type { PillState } from '@/components/ui/state-pill'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RoundView } from '@/lib/protocol/run/round-view'
import { isUndecided } from '@/lib/protocol/run/round-view'
import type { Waiting } from '@/lib/protocol/run/waiting'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { endWords } from './end-words'

/** State of a run that has not begun; a run whose call waits for approval has begun. */
export const placeWait = 'Waiting for a place'

/** Returns the run's state as a pill. `waiting`: it waits for a place to begin. */
export function runPill(
  state: RunState,
  waiting: Waiting | null = null,
): { pill: PillState; word: string } {
  if (state.end) {
    const { pill, word } = endWords(state.end.reason, state.end.notStarted)
    return { pill, word }
  }
  if (state.cancelRequested) return { pill: 'waiting', word: 'Stopping' }
  if (waiting) return { pill: 'waiting', word: placeWait }
  if (!state.start) return { pill: 'waiting', word: 'Starting' }
  if (state.waitingSince !== null) return { pill: 'waiting', word: 'Waiting' }
  return { pill: 'running', word: 'Running' }
}

/** Returns one sentence for the live region. It changes with each step of a run, not with each token. */
export function announce(state: RunState, waiting: Waiting | null = null): string {
  if (state.end) {
    const { word } = endWords(state.end.reason, state.end.notStarted)
    return state.end.notStarted ? `${word}.` : `Run ended: ${word}.`
  }
  if (state.cancelRequested) return 'Stopping.'
  // Without the place, which may change all the time.
  if (waiting) return `${placeWait}.`
  const round = state.rounds.at(-1)
  if (!round) return state.start ? 'Run started.' : ''
  return `Round ${round.round}, ${activity(round)}`
}

function activity(round: RoundView): string {
  const waiting = round.calls.filter(isUndecided)
  const [request] = waiting
  if (request && waiting.length === 1) return `${visibleText(request.name)} waits for approval.`
  if (request) return `${countOf(waiting.length, 'call')} wait for approval.`
  const running = round.calls.filter((call) => call.state.type === 'running')
  const [first] = running
  if (first && running.length === 1) return `calling ${visibleText(first.name)}.`
  if (first) return `calling ${countOf(running.length, 'tool')}.`
  if (round.response && round.calls.length > 0)
    return `${countOf(round.calls.length, 'call')} requested.`
  if (round.response) return 'answered.'
  if (round.drafts.length > 0) return 'calling tools.'
  if (round.text !== '') return 'answering.'
  return 'waiting for the model.'
}
