import type { RunState } from './fold-run'

/** Returns the text of the last round without tool calls; of an active run, the text so far. */
export function answerOf(state: Pick<RunState, 'rounds'>): string {
  const last = state.rounds.at(-1)
  return last && last.calls.length === 0 ? last.text : ''
}
