import { z } from 'zod'
import type { Offer } from '@/lib/engines/runtime/deps'
import type { CallView, RoundView } from '@/lib/protocol/run/round-view'
import type { EndReason } from '@/lib/protocol/run/run-event'
import { GateName, type ToolMeta } from '@/lib/protocol/tool'
import type { Recording } from './recording'

const sides = { was: z.string(), would: z.string(), gate: GateName.nullable() }

/** A tool that would be offered now and was not, or the other way round. Sides as of a difference. */
export const OfferDifference = z.object({ tool: z.string(), ...sides })
export type OfferDifference = z.infer<typeof OfferDifference>

/**
 * Something that would have gone otherwise. `was` and `would` are sentences for people; `gate` is the gate that decides it,
 * null: none does. `follows`: it comes after another difference, so it is not sure.
 */
export const Difference = z.object({
  place: z.discriminatedUnion('type', [
    z.object({ type: z.literal('round'), round: z.int() }),
    z.object({
      type: z.literal('call'),
      round: z.int(),
      callId: z.string(),
      tool: z.string(),
    }),
    z.object({ type: z.literal('end') }),
  ]),
  ...sides,
  follows: z.boolean(),
})
export type Difference = z.infer<typeof Difference>

type Found = Omit<Difference, 'follows'>

type Replayed = {
  state: { rounds: readonly RoundView[]; end: { reason: EndReason; message: string } | null }
  /** The replay came to a request that the run never made. */
  isBeyond: boolean
}

/** Returns what differs between a run and its replay, in the order of the run. */
export function differencesOf(recording: Recording, replayed: Replayed): Difference[] {
  return [...roundDifferences(recording, replayed), ...endDifferences(recording, replayed)].map(
    (found, index) => ({ ...found, follows: index > 0 }),
  )
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
    const { reason: would = 'It would not be offered.', gate = null } = refusal(offer, tool) ?? {}
    return [{ tool, was: 'It was offered.', would, gate }]
  })
  const gained = offer.accepted.flatMap(({ name: tool }) => {
    if (wasOffered(tool)) return []
    const { reason: was = 'It did not exist.', gate = null } = refusal(before, tool) ?? {}
    return [{ tool, was, would: 'It would be offered.', gate }]
  })
  return [...lost, ...gained]
}

function roundDifferences({ state }: Recording, { state: now, isBeyond }: Replayed): Found[] {
  const replayed = new Map(now.rounds.map((round) => [round.round, round]))
  const say = isBeyond ? unknownWords : nowWords
  return state.rounds.flatMap((then): Found[] => {
    const round = replayed.get(then.round)
    const calls = then.calls.flatMap((call, place) => ofCall(call, round?.calls[place], say))
    return [...ofRound(then, round, say), ...calls]
  })
}

function ofRound(then: RoundView, now: RoundView | undefined, say: Words): Found[] {
  const place = { type: 'round' as const, round: then.round }
  if (!now) return [{ place, was: 'The model was asked.', would: say.noRound, gate: null }]
  const found: Found[] = []
  if (then.closing !== now.closing)
    found.push({
      place,
      was: closingWords(then.closing),
      would: closingWords(now.closing),
      gate: null,
    })
  if (then.target !== now.target)
    found.push({
      place,
      was: `Model ${then.target + 1} of the configuration was asked.`,
      would: `Model ${now.target + 1} of the configuration would be asked.`,
      gate: null,
    })
  return found
}

function closingWords(closing: boolean): string {
  return closing ? 'A final answer without tools.' : 'An answer that may call tools.'
}

/** Returns how a call differs: which tool it calls, whether a person is asked, and whether it starts. */
function ofCall(then: CallView, now: CallView | undefined, say: Words): Found[] {
  const before = decisionOf(then, thenWords)
  const after = now ? decisionOf(now, say) : unbegun(say)
  const isOther = now !== undefined && now.name !== then.name
  if (before.key === after.key && !isOther) return []
  const { round, callId, name: tool } = then
  const would = isOther ? `It would call ${now.name}. ${after.words}` : after.words
  return [
    {
      place: { type: 'call', round, callId, tool },
      was: before.words,
      would,
      gate: after.gate ?? before.gate,
    },
  ]
}

const thenWords = {
  noRound: '',
  runs: 'It ran.',
  breaks: 'It ran, and its tool failed.',
  stays: 'It did not begin.',
  unfit: 'Its arguments did not fit.',
  waits: 'It waited for approval',
}
type Words = typeof thenWords
const nowWords: Words = {
  noRound: 'The run would have ended before.',
  runs: 'It would run.',
  breaks: 'It would run, and its tool would fail.',
  stays: 'It would not begin.',
  unfit: 'Its arguments would not fit.',
  waits: 'It would wait for approval',
}
const unknownWords: Words = {
  ...nowWords,
  noRound: 'Not known: the run would go another way.',
  stays: 'Not known: the run would go another way.',
}

type Decision = { key: string; words: string; gate: GateName | null }

function decisionOf(call: CallView, say: Words): Decision {
  const { approval } = call
  const decided = startOf(call, say)
  if (!approval) return decided
  return {
    // Another rule that asks, too, changes nothing.
    key: `asked, ${decided.key}`,
    words: `${say.waits}: ${approval.ruleName}. ${decided.words}`,
    gate: decided.gate ?? 'approval',
  }
}

function startOf({ state }: CallView, say: Words): Decision {
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

function unbegun({ stays }: Words): Decision {
  return { key: 'open', words: stays, gate: null }
}

function endDifferences({ end }: Recording, { state, isBeyond }: Replayed): Found[] {
  const place = { type: 'end' as const }
  const was = `The run ended: ${end.message}`
  if (isBeyond) {
    const would = 'The run would go on. The next answer is not known.'
    return [{ place, was, would, gate: null }]
  }
  if (!state.end || state.end.reason === end.reason) return []
  return [{ place, was, would: `The run would end: ${state.end.message}`, gate: null }]
}
