import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RoundView } from '@/lib/protocol/run/round-view'
import type { DataClass, RunFile } from '@/lib/protocol/tool'
import type { EarlierTurn } from './deps'
import { hasText } from './policy/sent-data'
import { startOf } from './run-step'

/** Returns the rounds of a turn that its last request had, and its answer. */
export function sentRounds({ rounds, prunedThrough }: RunState): RoundView[] {
  return rounds.filter(({ response, round }) => response !== null && round > prunedThrough)
}

/** Returns whether a turn has what stands between the tags for untrusted text. */
export function hasFences({ start, rounds }: RunState): boolean {
  if (rounds.some(({ calls }) => calls.length > 0)) return true
  if (!start) return false
  if (start.judges) return true
  return start.snapshot.skills.length > 0 || hasText(start.files) || start.memory?.type === 'read'
}

/**
 * Data of earlier turns that their messages carry to a provider: files, and results of tools with the class of each.
 */
export type Carried = { files: RunFile[]; results: { name: string; dataClass: DataClass }[] }

/** Returns how many of the oldest turns are left out of the requests of a run so far. */
export function turnsLeftOut(
  { prunedTurns }: Pick<RunState, 'prunedTurns'>,
  earlier: readonly { state: RunState }[],
): number {
  return Math.max(prunedTurns, earlier.at(-1)?.state.prunedTurns ?? 0)
}

/** Returns what a model is sent of the turns before. A tool of unknown class counts as the strictest. */
export function carriedBy(
  earlier: readonly EarlierTurn[],
  state: Pick<RunState, 'prunedTurns'>,
): Carried {
  const carried: Carried = { files: [], results: [] }
  for (const { state: turn } of earlier.slice(turnsLeftOut(state, earlier))) {
    const { files = [], accepted } = startOf(turn)
    carried.files.push(...files)
    const classes = new Map(accepted.map(({ name, dataClass }) => [name, dataClass]))
    for (const { calls } of sentRounds(turn)) {
      for (const { name, state: call } of calls) {
        if (call.type !== 'ended' || call.outcome.type !== 'ok') continue
        const dataClass = call.outcome.dataClass ?? classes.get(name) ?? 'secret-adjacent'
        carried.results.push({ name, dataClass })
      }
    }
  }
  return carried
}
