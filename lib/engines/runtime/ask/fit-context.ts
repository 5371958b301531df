import { turnsLeftOut } from '@/lib/engines/runtime/earlier-turns'
import { startOf } from '@/lib/engines/runtime/run-step'
import {
  frameTokens,
  messageTokens,
  type RequestFrame,
  roundTokens,
} from '@/lib/engines/runtime/spend/count-tokens'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RoundView } from '@/lib/protocol/run/round-view'
import { messagesOf, promptMessage, type TurnForm, turnMessages } from './messages-of'

/**
 * Returns the tokens that a request to this target may have: window - max output - 3 % (SPEC R13). The maximum of the
 * model itself reserves at most half of the window; an unknown one counts as 4,096. Infinite when the window is
 * unknown.
 */
export function contextLimit(target: ModelTarget, maxOutputTokens: number | null): number {
  if (target.contextTokens === null) return Number.POSITIVE_INFINITY
  const half = Math.floor(target.contextTokens / 2)
  const output = maxOutputTokens ?? Math.min(target.maxOutputTokens ?? 4096, half)
  return target.contextTokens - output - marginOf(target.contextTokens)
}

/** Returns the tokens of a window that stay free, because estimates may be too low. */
export function marginOf(contextTokens: number): number {
  return Math.ceil(contextTokens * 0.03)
}

export type ContextFit = {
  prunedTurns: number
  prunedThrough: number
  /** The best estimate, corrected by what the provider reported of an earlier request. */
  contextTokens: number
  fits: boolean
  /** The correction; null = the provider has reported nothing usable. */
  report: InputReport | null
}

/** A conversation as it stands: the turns before, and the run, which asks target number `index`. */
type Standing = { state: RunState; turns: readonly TurnForm[]; index: number }

/**
 * Returns which oldest turns, then which oldest rounds, to leave out so that the request fits `limit`; never the prompt or the
 * newest round (SPEC R13).
 */
export function fitContext(standing: Standing, request: RequestFrame, limit: number): ContextFit {
  const { state, turns } = standing
  const start = startOf(state)
  const tokens = new Map<RoundView, number>()
  for (const round of state.rounds) {
    if (round.response) tokens.set(round, roundTokens(round, start, request))
  }
  const tokensOf = (round: RoundView) => tokens.get(round) ?? 0
  const report = inputReport(standing, request, tokensOf)
  const rounds = state.rounds.filter((round) => round.response && round.round > state.prunedThrough)

  let prunedTurns = turnsLeftOut(state, turns)
  let { prunedThrough } = state
  let estimate =
    promptsTokens(standing, request, { prunedTurns, prunedThrough }) +
    rounds.reduce((sum, round) => sum + tokensOf(round), 0)
  const left = turns.slice(prunedTurns)
  for (const turn of left) {
    if (corrected(estimate, report) <= limit) break
    estimate -= turnTokens(turn, request)
    prunedTurns += 1
  }
  for (const round of rounds.slice(0, -1)) {
    if (corrected(estimate, report) <= limit) break
    estimate -= tokensOf(round)
    prunedThrough = round.round
  }
  const contextTokens = corrected(estimate, report)
  return { prunedTurns, prunedThrough, contextTokens, fits: contextTokens <= limit, report }
}

type Pruned = Pick<ContextFit, 'prunedTurns' | 'prunedThrough'>

/** Estimates the tokens of a request without the rounds of its run: the frame, the turns before and the prompt. */
function promptsTokens({ state, turns }: Standing, request: RequestFrame, pruned: Pruned): number {
  const messages = messagesOf({ ...state, rounds: [] }, { ...request, ...pruned }, turns)
  return frameTokens(request) + messages.reduce((sum, message) => sum + messageTokens(message), 0)
}

/** Estimates the tokens of a turn before; a skill that only it brings is counted with it. */
function turnTokens({ state, nativeOf }: TurnForm, request: RequestFrame): number {
  const form = { fenced: false, pruned: false, turnsLeftOut: false, known: new Set<string>() }
  const messages = turnMessages(state, { ...request, nativeOf })
  return [promptMessage(startOf(state), form), ...messages].reduce(
    (sum, message) => sum + messageTokens(message),
    0,
  )
}

/**
 * Returns the corrected estimate. The reported figure counts, and only the difference to it is estimated, at the same
 * ratio.
 */
function corrected(estimate: number, report: InputReport | null): number {
  if (!report) return estimate
  return Math.max(1, Math.ceil(report.inputTokens + report.scale * (estimate - report.estimate)))
}

/** Token count that a provider last reported for a request of this run. */
export type InputReport = {
  inputTokens: number
  /** Our estimate of that request. */
  estimate: number
  /** Tokens that the provider counts for each estimated one. */
  scale: number
  /** The answered rounds after that request: its own, and those since. */
  since: RoundView[]
  /** Names of the offered tools, as the model knows them. */
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
  standing: Standing,
  request: RequestFrame,
  tokensOf: (round: RoundView) => number,
): InputReport | null {
  const { state, turns, index } = standing
  const at = state.rounds.findLastIndex(
    ({ response }) => response?.target === index && !response.usage.estimated,
  )
  const round = state.rounds[at]
  if (!round?.response) return null
  const { inputTokens } = round.response.usage
  const before = state.rounds.slice(0, at)
  const since = { prunedTurns: turns.at(-1)?.state.prunedTurns ?? 0, prunedThrough: 0 }
  const pruned = prunedBy([...before, round], since)
  const { system, tools } = request
  const offered = tools.filter((tool) => round.offered.includes(tool.name))
  let estimate =
    frameTokens({ system, tools: offered }) -
    frameTokens(request) +
    promptsTokens(standing, request, pruned)
  for (const one of before) {
    if (one.response && one.round > pruned.prunedThrough) estimate += tokensOf(one)
  }
  const scale = (inputTokens + prior) / (estimate + prior)
  if (inputTokens === 0 || scale < leastScale) return null
  return {
    inputTokens,
    estimate,
    scale: Math.min(scale, mostScale),
    since: state.rounds.slice(at).filter((one) => one.response),
    offered: round.offered.map((name) => request.calledAs?.(name) ?? name),
  }
}

/** Returns what was left out when these had been asked, at least what was `before`. */
function prunedBy(rounds: readonly RoundView[], before: Pruned): Pruned {
  let { prunedTurns, prunedThrough } = before
  for (const { notes } of rounds) {
    for (const { type, data } of notes) {
      if (type !== 'warning') continue
      prunedTurns = Math.max(prunedTurns, data.prunedTurns ?? 0)
      prunedThrough = Math.max(prunedThrough, data.prunedThrough ?? 0)
    }
  }
  return { prunedTurns, prunedThrough }
}
