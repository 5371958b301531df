import type { RunState } from './fold-run'

/** Returns the model of the newest round, which may be a fallback. */
export function modelOf(state: RunState): string | null {
  const target = state.rounds.at(-1)?.target ?? 0
  return state.start?.snapshot.targets[target]?.modelId ?? null
}

/** Returns the text of the last round without tool calls; of an active run, the text so far. */
export function answerOf(state: RunState): string {
  const last = state.rounds.at(-1)
  return last && last.calls.length === 0 ? last.text : ''
}
