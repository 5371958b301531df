import { z } from 'zod'
import type { Offer } from '@/lib/engines/runtime/deps'
import type { CallView, RoundView } from '@/lib/protocol/run/round-view'
import type { EndReason } from '@/lib/protocol/run/run-event'
import { GateName, type ToolMeta } from '@/lib/protocol/tool'
import { type Recording, unknownApprover } from './recording'

const sides = { was: z.string(), would: z.string(), gate: GateName.nullable() }

/** A tool that would be offered now and was not, or the other way round. Sides as of a difference. */
export const OfferDifference = z.object({ tool: z.string(), ...sides })
export type OfferDifference = z.infer<typeof OfferDifference>

export const RunPlace = z.discriminatedUnion('type', [
  z.object({ type: z.literal('round'), round: z.int() }),
  z.object({ type: z.literal('call'), round: z.int(), callId: z.string(), tool: z.string() }),
  z.object({ type: z.literal('end') }),
])
export type RunPlace = z.infer<typeof RunPlace>

/**
 * Something that would have gone otherwise. `was` and `would` are sentences for people; `gate` is the gate that decides it,
 * null: none does. `follows`: it comes after another difference, so it is not sure.
 */
export const Difference = z.object({ place: RunPlace, ...sides, follows: z.boolean() })
export type Difference = z.infer<typeof Difference>

/**
 * One thing that a policy decides. Two policies decide the same where the key is the same; `words` are for people. `noted`: the
 * notes of rules that only observe, which decide nothing.
 */
export type Decided = {
  place: RunPlace
  key: string
  words: string
  gate: GateName | null
  noted?: string
}

type Replayed = {
  state: { rounds: readonly RoundView[]; end: { reason: EndReason; message: string } | null }
  /** The replay came to a request that the run never made. */
  isBeyond: boolean
}

/** Returns what was decided in a run, in order: each round, then its calls, and last the end. */
export function decidedThen({ start, state, end }: Recording): Decided[] {
  const models = start.snapshot.targets.length
  return [
    ...state.rounds.flatMap((round) => [
      ofRound(round, round, { say: thenWords, models }),
      ...round.calls.map((call) => ofCall(call, call, thenWords)),
    ]),
    { place: { type: 'end' }, key: end.reason, words: `The run ended: ${end.message}`, gate: null },
  ]
}

/** Returns what a replay decided about the same places as `decidedThen`. */
export function decidedNow({ start, state }: Recording, { state: now, isBeyond }: Replayed) {
  const models = start.snapshot.targets.length
  const rounds = new Map(now.rounds.map((round) => [round.round, round]))
  const say = isBeyond ? unknownWords : nowWords
  return [
    ...state.rounds.flatMap((then): Decided[] => {
      const round = rounds.get(then.round)
      const calls = then.calls.map((call, place) => ofCall(call, round?.calls[place], say))
      return [ofRound(then, round, { say, models }), ...calls]
    }),
    ofEnd(now.end, isBeyond),
  ]
}

/** Returns where two policies decide otherwise, in the order of the run. The lists are about the same places. */
export function differencesOf(before: readonly Decided[], after: readonly Decided[]): Difference[] {
  return before
    .flatMap((one, index) => {
      const other = after[index]
      if (!other || one.key === other.key) return []
      const { place, words: was } = one
      return [{ place, was, would: other.words, gate: other.gate ?? one.gate }]
    })
    .map((found, index) => ({ ...found, follows: index > 0 }))
}

/** Returns the tools that were offered at the start and would not be, then those that would be and were not. */
export function offerDifferences({ start }: Recording, offer: Offer<ToolMeta>): OfferDifference[] {
  const before = { accepted: start.accepted, rejected: start.rejected }
  const wasOffered = (name: string) => before.accepted.some((tool) => tool.name === name)
  const isOffered = (name: string) => offer.accepted.some((tool) => tool.name === name)
  const refusal = ({ rejected }: Pick<Offer<ToolMeta>, 'rejected'>, name: string) =>
    rejected.find((each) => each.name === name)
  const lost = before.accepted.flatMap(({ name: tool }) => {
    if (isOffered(tool)) return []
    const { reason: would = 'It no longer exists.', gate = null } = refusal(offer, tool) ?? {}
    return [{ tool, was: 'It was offered.', would, gate }]
  })
  const gained = offer.accepted.flatMap(({ name: tool }) => {
    if (wasOffered(tool)) return []
    const { reason: was = 'It did not exist.', gate = null } = refusal(before, tool) ?? {}
    return [{ tool, was, would: 'It would be offered.', gate }]
  })
  return [...lost, ...gained]
}

const thenWords = {
  noRound: '',
  runs: 'It ran.',
  breaks: 'It ran, and its tool failed.',
  stays: 'It did not begin.',
  unfit: 'Its arguments did not fit.',
  waits: 'It waited for approval',
  calls: 'It called',
}
type Words = typeof thenWords
const nowWords: Words = {
  noRound: 'The run would have ended before.',
  runs: 'It would run.',
  breaks: 'It would run, and its tool would fail.',
  stays: 'It would not begin.',
  unfit: 'Its arguments would not fit.',
  waits: 'It would wait for approval',
  calls: 'It would call',
}
const notKnown = 'Not known: the run would go another way.'
const unknownWords: Words = { ...nowWords, noRound: notKnown, stays: notKnown }

/** Returns which model is asked in a round, and whether its answer may call tools. */
function ofRound(
  { round }: RoundView,
  now: RoundView | undefined,
  { say, models }: { say: Words; models: number },
): Decided {
  const place = { type: 'round' as const, round }
  if (!now) return { place, key: 'none', words: say.noRound, gate: null }
  const { closing, target } = now
  const answer = closing ? 'A final answer without tools' : 'An answer that may call tools'
  const from = models > 1 ? `, from model ${target + 1} of the configuration.` : '.'
  const noted = now.notes
    .flatMap(({ type, data }) =>
      type === 'warning' && data.code === 'rule-observed' ? data.message : [],
    )
    .join(' ')
  return { place, key: `${closing} ${target}`, words: `${answer}${from}`, gate: null, noted }
}

/** Returns which tool a call calls, whether a person is asked, and whether it starts. */
function ofCall(then: CallView, now: CallView | undefined, say: Words): Decided {
  const { round, callId, name: tool } = then
  const place = { type: 'call' as const, round, callId, tool }
  const { key, words, gate } = now ? withApproval(now, say) : unbegun(say)
  if (!now || now.name === tool) return { place, key, words, gate }
  return { place, key: `${now.name}: ${key}`, words: `${say.calls} ${now.name}. ${words}`, gate }
}

type Start = Omit<Decided, 'place'>

function withApproval(call: CallView, say: Words): Start {
  const { approval } = call
  const decided = startOf(call, say)
  if (!approval) return decided
  const { ruleName, decision } = approval
  const isAssumed = decision?.type === 'approved' && decision.userId === unknownApprover
  const assumed = 'The rest assumes that it is approved.'
  const then = isAssumed && decided.gate === null ? assumed : decided.words
  return {
    // Another rule that asks, too, changes nothing.
    key: `asked, ${decided.key}`,
    words: `${say.waits}: ${ruleName}. ${then}`,
    gate: decided.gate ?? 'approval',
  }
}

function startOf({ state }: CallView, say: Words): Start {
  if (state.type !== 'ended') return unbegun(say)
  const { outcome, verdict } = state
  if (outcome.type === 'denied')
    return { key: `denied ${outcome.gate}`, words: outcome.reason, gate: outcome.gate }
  if (outcome.type === 'invalid-arguments')
    return { key: 'invalid', words: `${say.unfit} ${outcome.issues.join(' ')}`, gate: null }
  if (!verdict.allowed) return unbegun(say)
  const isBroken = outcome.type === 'failed' && outcome.code === 'internal'
  return isBroken
    ? { key: 'broke', words: say.breaks, gate: null }
    : { key: 'ran', words: say.runs, gate: null }
}

function unbegun({ stays }: Words): Start {
  return { key: 'open', words: stays, gate: null }
}

function ofEnd(end: Replayed['state']['end'], isBeyond: boolean): Decided {
  const place = { type: 'end' as const }
  if (isBeyond || !end) {
    const words = 'The run would go on. The next answer is not known.'
    return { place, key: 'beyond', words, gate: null }
  }
  return { place, key: end.reason, words: `The run would end: ${end.message}`, gate: null }
}
