import type { RunState } from '@/lib/protocol/fold-run'
import type { RoundView } from '@/lib/protocol/round-view'
import { frameTokens, messageTokens, type RequestFrame } from './estimate-tokens'
import { promptMessage } from './messages-of'
import { startOf } from './run-step'

/** What a provider last counted for a request of this run. */
export type InputReport = {
  inputTokens: number
  /** Our estimate of that request. */
  estimate: number
  /** Tokens that the provider counts for each estimated one. */
  scale: number
  /** The answered rounds after that request: its own, and those since. */
  since: RoundView[]
  /** Names of the tools it offered. */
  offered: readonly string[]
}

/** A short text says little about the scale, so this many tokens at scale 1 are added to it. */
const prior = 1_000
/** A provider that reports fewer for a long text counted only what was not cached. */
const leastScale = 0.4
const mostScale = 3

/**
 * Returns the newest report of the target number `index`; null = it has sent none that is plausible. `tokensOf` returns
 * our estimate of each answered round.
 */
export function inputReport(
  state: RunState,
  index: number,
  request: RequestFrame,
  tokensOf: (round: RoundView) => number,
): InputReport | null {
  const at = state.rounds.findLastIndex(
    ({ response }) => response?.target === index && !response.usage.estimated,
  )
  const round = state.rounds[at]
  if (!round?.response) return null
  const { inputTokens } = round.response.usage
  const start = startOf(state)
  const before = state.rounds.slice(0, at)
  const pruned = prunedBy(before, prunedBy([round], 0))
  const { system, tools, fenced } = request
  const offered = tools.filter((tool) => round.offered.includes(tool.name))
  let estimate =
    frameTokens({ system, tools: offered }) +
    messageTokens(promptMessage(start, { fenced, pruned: pruned > 0 }))
  for (const one of before) if (one.response && one.round > pruned) estimate += tokensOf(one)
  const scale = (inputTokens + prior) / (estimate + prior)
  if (inputTokens === 0 || scale < leastScale) return null
  const since = state.rounds.slice(at).filter((one) => one.response)
  return {
    inputTokens,
    estimate,
    scale: Math.min(scale, mostScale),
    since,
    offered: round.offered,
  }
}

/** Returns the last round that was left out when these had been asked, at least `least`. */
function prunedBy(rounds: readonly RoundView[], least: number): number {
  let most = least
  for (const { notes } of rounds) {
    for (const { type, data } of notes) {
      if (type === 'warning') most = Math.max(most, data.prunedThrough ?? 0)
    }
  }
  return most
}
