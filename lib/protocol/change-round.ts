import type { CallState, CallView, RoundView } from './round-view'

type HasRounds = { rounds: RoundView[] }
type CallPlace = { round: number; callId: string }

export function changeCallState<S extends HasRounds>(state: S, place: CallPlace, to: CallState): S {
  return changeCall(state, place, (call) => ({ ...call, state: to }))
}

export function changeCall<S extends HasRounds>(
  state: S,
  { round, callId }: CallPlace,
  change: (call: CallView) => CallView,
): S {
  return changeRound(state, round, (r) => ({
    ...r,
    calls: r.calls.map((call) => (call.callId === callId ? change(call) : call)),
  }))
}

/** Rounds are few and the newest changes most: look from the end. */
export function changeRound<S extends HasRounds>(
  state: S,
  round: number,
  change: (r: RoundView) => RoundView,
): S {
  const index = state.rounds.findLastIndex((r) => r.round === round)
  const found = state.rounds[index]
  if (!found) return state
  return { ...state, rounds: state.rounds.with(index, change(found)) }
}
