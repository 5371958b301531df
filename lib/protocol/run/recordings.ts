import type { Outcome } from '@/lib/protocol/tool'
import { canonicalJson } from '@/lib/words/json-text'
import { ownRounds, type RunState } from './fold-run'
import { resultSources } from './result-sources'
import type { CallView } from './round-view'

/** Returns whether a tool gave this outcome, and no gate and no check before it. */
function isRecordable({ type }: Outcome): boolean {
  return type !== 'denied' && type !== 'invalid-arguments'
}

/** Returns whether a call got something from its tool or from a recording. */
export function hasResult({ state }: CallView): boolean {
  if (state.type !== 'ended') return false
  const { outcome } = state
  return isRecordable(outcome) && !(outcome.type === 'failed' && outcome.code === 'no-recording')
}

/** Returns the arguments that a call ran with: those of the model, or of the person who approved it with others. */
export function ranWith({ approval, argumentsText }: CallView): string {
  const decision = approval?.decision
  return decision?.type === 'edited' ? decision.argumentsText : argumentsText
}

/** Returns the calls that run here, and not in the run that it goes on from. */
export function ownCalls(state: Pick<RunState, 'rounds' | 'copied'>): CallView[] {
  const copied = state.rounds.filter(({ copiedFrom }) => copiedFrom !== undefined)
  const anew = copied.flatMap(({ calls }) => calls.filter(({ runsAnew }) => runsAnew))
  return [...anew, ...ownRounds(state).flatMap(({ calls }) => calls)]
}

/** Returns how many recorded results of each tool a run did not use, without those of tools that have another source. */
export function unusedRecordings(
  state: Pick<RunState, 'start' | 'rounds' | 'copied'>,
): Map<string, number> {
  const sources = resultSources(state.start) ?? {}
  const used = new Map<string, number>()
  const unused = new Map<string, number>()
  const keyOf = (name: string, argumentsText: string) => `${name}\n${canonicalJson(argumentsText)}`
  const count = (map: Map<string, number>, key: string, by: number) =>
    map.set(key, (map.get(key) ?? 0) + by)
  for (const call of ownCalls(state))
    if (hasResult(call)) count(used, keyOf(call.name, ranWith(call)), 1)
  for (const recording of state.copied?.recordings ?? []) {
    const key = keyOf(recording.name, recording.argumentsText)
    if (sources[recording.name]) continue
    if ((used.get(key) ?? 0) > 0) count(used, key, -1)
    else count(unused, recording.name, 1)
  }
  return unused
}
