import type { RunState } from '@/lib/protocol/fold-run'
import type { RoundView } from '@/lib/protocol/round-view'
import { frameTokens, messageTokens, type RequestFrame, roundTokens } from './estimate-tokens'
import { promptMessage } from './messages-of'
import { startOf } from './run-step'

/** What a provider last counted of a request of this run. */
export type InputReport = {
  inputTokens: number
  /** Our estimate of that very request. */
  estimate: number
  /** How many tokens the provider counts for one that is estimated. */
  scale: number
  /** The answered rounds that were not in it: its own, and those since. */
  since: RoundView[]
  /** Names of the tools it offered. */
  offered: readonly string[]
}

/** A short text says little about the scale: this many tokens at scale 1 are added to it. */
const prior = 1_000
/** A provider that counts less of a long text counted only what was not in its cache. */
const leastScale = 0.4
const mostScale = 3

/** The newest report of the target number `index`; null = it has sent none that can be believed. */
export function inputReport(
  state: RunState,
  index: number,
  request: RequestFrame,
): InputReport | null {
  const at = state.rounds.findLastIndex(
    ({ response }) => response?.target === index && !response.usage.estimated,
  )
  const round = state.rounds[at]
  if (!round?.response) return null
  const { inputTokens } = round.response.usage
  const start = startOf(state)
  const pruned = prunedBy(state.rounds.slice(0, at + 1))
  const { system, tools, fenced } = request
  const offered = tools.filter((tool) => round.offered.includes(tool.name))
  const sent = state.rounds.filter((one, i) => i < at && one.response && one.round > pruned)
  const estimate =
    frameTokens({ system, tools: offered }) +
    messageTokens(promptMessage(start, { fenced, pruned: pruned > 0 })) +
    sent.reduce((sum, one) => sum + roundTokens(one, start, request), 0)
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

/** Up to which round nothing was sent any more when these had been asked. */
function prunedBy(rounds: readonly RoundView[]): number {
  const notes = rounds.flatMap((round) => round.notes)
  return notes.reduce(
    (most, { type, data }) => (type === 'warning' ? Math.max(most, data.prunedThrough ?? 0) : most),
    0,
  )
}
