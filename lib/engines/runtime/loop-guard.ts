import type { RoundView } from '@/lib/protocol/round-view'
import { canonicalJson } from './canonical-json'

const warnAt = 3
const endAt = 5

/** A finished round never changes, so its keys are computed once. */
const keysOfRound = new WeakMap<RoundView, string[]>()

function keysOf(round: RoundView): string[] {
  let keys = keysOfRound.get(round)
  if (!keys) {
    keys = round.calls.map((call) => `${call.name}\n${canonicalJson(call.argumentsText)}`)
    keysOfRound.set(round, keys)
  }
  return keys
}

/** Returns true when one call was requested, with the same canonical arguments, for the fifth time (SPEC R7). */
export function isLooping(rounds: readonly RoundView[]): boolean {
  return repeats(rounds).some((repeat) => repeat.times >= endAt)
}

/** Returns the names of the tools whose call was requested for the third time in the newest round (SPEC R7). */
export function repeatedCalls(rounds: readonly RoundView[]): string[] {
  return repeats(rounds)
    .filter((repeat) => repeat.before < warnAt && repeat.times >= warnAt)
    .map((repeat) => repeat.name)
}

/** Counts each call of the newest round: in earlier rounds, and in all. */
function repeats(rounds: readonly RoundView[]): { name: string; before: number; times: number }[] {
  const newest = rounds.at(-1)
  if (!newest) return []
  const names = new Map(keysOf(newest).map((key, index) => [key, newest.calls[index]?.name ?? '']))
  const times = new Map<string, number>()
  const before = new Map<string, number>()
  for (const round of rounds) {
    if (round === newest) for (const [key, count] of times) before.set(key, count)
    for (const key of keysOf(round)) {
      if (names.has(key)) times.set(key, (times.get(key) ?? 0) + 1)
    }
  }
  return [...names].map(([key, name]) => ({
    name,
    before: before.get(key) ?? 0,
    times: times.get(key) ?? 0,
  }))
}
