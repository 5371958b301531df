import { cappedSentence, isCapped } from '@/lib/protocol/cost/cost-caps'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RoundView } from '@/lib/protocol/run/round-view'
import { isUndecided } from '@/lib/protocol/run/round-view'
import type { EndReason } from '@/lib/protocol/run/run-event'
import { canonicalJson } from '@/lib/words/json-text'
import { endOfAsking } from './hop-budget'
import { isRepair, isUnfit } from './output-check'

export type Step =
  | { type: 'call-model'; round: number; closing: boolean }
  | { type: 'call-tools'; round: number }
  | { type: 'wait'; round: number }
  | { type: 'end'; reason: EndReason; message: string }
  | { type: 'done' }

/**
 * Returns what a run does next. Pure: the same state always gives the same step, in any process (SPEC R4, R7, R10, G-A,
 * M4).
 */
export function nextStep(state: RunState): Step {
  if (state.end) return { type: 'done' }
  if (state.cancelRequested) return end('cancelled', `Stopped by ${state.cancelRequested.by}.`)

  const last = state.rounds.at(-1)
  if (!last) return { type: 'call-model', round: 1, closing: false }
  // Checked again here, because a lost request may have passed a cost cap.
  if (!last.response) {
    return { type: 'call-model', round: last.round, closing: last.closing || isCapped(state) }
  }

  const maxRounds = state.start?.snapshot.maxRounds ?? 0
  const ended = endOfAnswer(state, last)
  if (ended) return ended
  if (isLooping(state.rounds)) {
    return end('loop', 'The model asked for the same call with the same arguments five times.')
  }
  if (last.calls.some(isUndecided)) return { type: 'wait', round: last.round }
  if (last.calls.some((call) => call.state.type !== 'ended')) {
    return { type: 'call-tools', round: last.round }
  }
  return {
    type: 'call-model',
    round: last.round + 1,
    closing: last.round >= maxRounds || isCapped(state) || endOfAsking(state.rounds) !== null,
  }
}

/** Returns the end that a response causes; null when its calls are to be executed. */
function endOfAnswer(state: RunState, round: RoundView): Step | null {
  switch (round.response?.finishReason) {
    case 'content-filter':
      return end('content-filter', 'The provider withheld the answer. Rephrase the prompt.')
    case 'length':
      return end(
        'length',
        'The answer reached the maximum output tokens. Raise them in the configuration.',
      )
    case 'cut':
      return end(
        'length',
        'The answer ended without a sign that it is complete, so it may be cut off. Run it again.',
      )
  }
  if (isUnfit(round)) return stepAfterUnfit(state, round)
  // A repaired answer ends the run for the same reason as the first answer.
  return endOfFinal(state, isRepair(state.rounds) ? state.rounds.slice(0, -1) : state.rounds)
}

/** Requests one repair of an answer that does not fit the schema; after a repair, the run ends (SPEC Q5). */
function stepAfterUnfit(state: RunState, round: RoundView): Step {
  const mayRepair = round.calls.length === 0 && !isCapped(state) && !isRepair(state.rounds)
  if (mayRepair) return { type: 'call-model', round: round.round + 1, closing: true }
  const errors = (round.outputErrors ?? []).join(' ')
  return end('invalid-output', `The answer does not fit the JSON Schema of this run. ${errors}`)
}

/** Returns the end of the last of `rounds` when it is a final answer; null = its calls are to be executed. */
function endOfFinal(state: RunState, rounds: readonly RoundView[]): Step | null {
  const round = rounds.at(-1)
  if (!round) return null
  const maxRounds = state.start?.snapshot.maxRounds ?? 0
  const asking = round.closing ? endOfAsking(rounds.slice(0, -1)) : null
  if (asking) return end('max-rounds', asking)
  // Only a cost cap causes a final answer before the last round.
  if (round.closing && round.round <= maxRounds) return end('cost-cap', cappedSentence(state))
  if (round.closing) {
    return end(
      'max-rounds',
      `The limit of ${maxRounds} ${maxRounds === 1 ? 'round' : 'rounds'} was reached. The final answer was written without tools.`,
    )
  }
  return round.calls.length === 0 ? end('completed', 'The model answered.') : null
}

function end(reason: EndReason, message: string): Step {
  return { type: 'end', reason, message }
}

const warnAt = 3
const endAt = 5

/** A round changes with each of its calls, but its answer does not, so the keys of its calls are computed once. */
const keysOfAnswer = new WeakMap<NonNullable<RoundView['response']>, string[]>()
const noKeys: readonly string[] = []

/** Returns a key for each call of a round. Calls with the same name and the same canonical arguments have the same key. */
function keysOf({ response, calls }: RoundView): readonly string[] {
  if (!response) return noKeys
  const known = keysOfAnswer.get(response)
  if (known) return known
  const keys = calls.map((call) => `${call.name}\n${canonicalJson(call.argumentsText)}`)
  keysOfAnswer.set(response, keys)
  return keys
}

/** Returns true when one call was requested, with the same canonical arguments, for the fifth time (SPEC R7). */
function isLooping(rounds: readonly RoundView[]): boolean {
  return repeats(rounds).some((repeat) => repeat.times >= endAt)
}

/** Returns the names of the tools whose call was requested for the third time in the newest round (SPEC R7). */
export function repeatedCalls(rounds: readonly RoundView[]): string[] {
  return repeats(rounds)
    .filter((repeat) => repeat.before < warnAt && repeat.times >= warnAt)
    .map((repeat) => repeat.name)
}

type Repeat = { name: string; before: number; times: number }

/** Counts each call of the newest round: in earlier rounds, and in all. */
function repeats(rounds: readonly RoundView[]): Repeat[] {
  const newest = rounds.at(-1)
  if (!newest) return []
  const counts = new Map<string, Repeat>()
  for (const [index, key] of keysOf(newest).entries()) {
    counts.set(key, { name: newest.calls[index]?.name ?? '', before: 0, times: 0 })
  }
  for (const round of rounds) {
    for (const key of keysOf(round)) {
      const repeat = counts.get(key)
      if (!repeat) continue
      repeat.times += 1
      if (round !== newest) repeat.before += 1
    }
  }
  return [...counts.values()]
}
