import type { RunState } from '@/lib/protocol/fold-run'
import type { ModelTarget } from '@/lib/protocol/model-target'
import type { RoundView } from '@/lib/protocol/round-view'
import { frameTokens, messageTokens, type RequestFrame, roundTokens } from './count-tokens'
import { promptMessage } from './messages-of'
import { startOf } from './run-step'

/**
 * Returns the tokens that a request to this target may have: window - max output - 3 % (SPEC R13). The maximum of the
 * model itself reserves at most half of the window; an unknown one counts as 4,096. Infinite when the window is
 * unknown.
 */
export function contextLimit(target: ModelTarget, maxOutputTokens: number | null): number {
  if (target.contextTokens === null) return Number.POSITIVE_INFINITY
  const half = Math.floor(target.contextTokens / 2)
  const output = maxOutputTokens ?? Math.min(target.maxOutputTokens ?? 4096, half)
  return target.contextTokens - output - Math.ceil(target.contextTokens * 0.03)
}

export type ContextFit = {
  prunedThrough: number
  /** The best estimate, corrected by what the provider reported of an earlier request. */
  contextTokens: number
  fits: boolean
  /** The correction; null = the provider has reported nothing usable. */
  report: InputReport | null
}

/**
 * Returns which oldest rounds to leave out so that the request to target number `index` fits `limit`; never the prompt
 * or the newest round (SPEC R13).
 */
export function fitContext(
  state: RunState,
  index: number,
  request: RequestFrame,
  limit: number,
): ContextFit {
  const start = startOf(state)
  const { fenced } = request
  const tokens = new Map<RoundView, number>()
  for (const round of state.rounds) {
    if (round.response) tokens.set(round, roundTokens(round, start, request))
  }
  const tokensOf = (round: RoundView) => tokens.get(round) ?? 0
  const report = inputReport(state, index, request, tokensOf)
  const rounds = state.rounds.filter((round) => round.response && round.round > state.prunedThrough)

  let { prunedThrough } = state
  let estimate =
    frameTokens(request) +
    messageTokens(promptMessage(start, { fenced, pruned: prunedThrough > 0 })) +
    rounds.reduce((sum, round) => sum + tokensOf(round), 0)
  for (const round of rounds.slice(0, -1)) {
    if (corrected(estimate, report) <= limit) break
    estimate -= tokensOf(round)
    prunedThrough = round.round
  }
  const contextTokens = corrected(estimate, report)
  return { prunedThrough, contextTokens, fits: contextTokens <= limit, report }
}

/** The reported figure counts; only the difference to it is estimated, at the scale that the report shows. */
function corrected(estimate: number, report: InputReport | null): number {
  if (!report) return estimate
  return Math.max(1, Math.ceil(report.inputTokens + report.scale * (estimate - report.estimate)))
}

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
function inputReport(
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
