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

function roundDifferences({ state }: Recording, replayed: Replayed): Found[] {
  return replayed.state.rounds.flatMap((now): Found[] => {
    const then = state.rounds.find(({ round }) => round === now.round)
    if (!then) return []
    return [
      ...ofRound(then, now),
      ...then.calls.flatMap((call, place) => ofCall(call, now.calls[place])),
    ]
  })
}

function ofRound(then: RoundView, now: RoundView): Found[] {
  const place = { type: 'round' as const, round: then.round }
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

/** Returns how a call differs: whether a person is asked, and whether it starts. */
function ofCall(then: CallView, now: CallView | undefined): Found[] {
  if (!now) return []
  const before = decisionOf(then, thenWords)
  const after = decisionOf(now, nowWords)
  if (before.key === after.key) return []
  const { round, callId, name: tool } = then
  return [
    {
      place: { type: 'call', round, callId, tool },
      was: before.words,
      would: after.words,
      gate: after.gate ?? before.gate,
    },
  ]
}

const thenWords = {
  runs: 'It ran.',
  stays: 'It did not begin.',
  unfit: 'Its arguments did not fit.',
  waits: 'It waited for approval',
}
const nowWords: typeof thenWords = {
  runs: 'It would run.',
  stays: 'It would not begin.',
  unfit: 'Its arguments would not fit.',
  waits: 'It would wait for approval',
}

type Decision = { key: string; words: string; gate: GateName | null }

function decisionOf(call: CallView, say: typeof thenWords): Decision {
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

function startOf({ state }: CallView, say: typeof thenWords): Decision {
  const unbegun = { key: 'open', words: say.stays, gate: null }
  if (state.type !== 'ended') return unbegun
  const { outcome, verdict } = state
  if (outcome.type === 'denied')
    return { key: `denied ${outcome.gate}`, words: outcome.reason, gate: outcome.gate }
  if (outcome.type === 'invalid-arguments')
    return { key: 'invalid', words: `${say.unfit} ${outcome.issues.join(' ')}`, gate: null }
  return verdict.allowed ? { key: 'ran', words: say.runs, gate: null } : unbegun
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
