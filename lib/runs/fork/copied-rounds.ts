import { z } from 'zod'
import { suspiciousPhrases } from '@/lib/engines/runtime/call/suspicious-phrases'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { callTag } from '@/lib/protocol/model/message'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { Fork } from '@/lib/protocol/run/fork'
import { hasResult, ranWith } from '@/lib/protocol/run/recordings'
import { resultSources } from '@/lib/protocol/run/result-sources'
import type { CallView, RoundView } from '@/lib/protocol/run/round-view'
import type { CopiedRounds, RunEvent, RunEventBody } from '@/lib/protocol/run/run-event'
import { maxPromptCharacters } from '@/lib/shape/field-shape'
import { cleanText } from '@/lib/words/clean-text'

const Text = z.string().max(maxPromptCharacters, 'At most 200,000 characters.').transform(cleanText)

/** Change of the last copied round, or of the prompt. `callId`: a call of that round. */
export const ForkEdit = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('prompt'),
    text: Text.refine((text) => text.trim() !== '', 'Enter a prompt.'),
  }),
  z.strictObject({ type: z.literal('answer'), text: Text }),
  z.strictObject({
    type: z.literal('arguments'),
    callId: z.string().max(200),
    text: Text.refine(isObject, 'Enter a JSON object.'),
  }),
  z.strictObject({ type: z.literal('result'), callId: z.string().max(200), text: Text }),
])
export type ForkEdit = z.infer<typeof ForkEdit>

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * A run to go on from. `state`: its first event and the copied rounds. `keepsConfiguration`: the new run has the prompt of the system,
 * the models and parameters of then.
 */
export type ForkOfRun = {
  facts: Fork
  copied: CopiedRounds
  state: RunState
  keepsConfiguration: boolean
  edit: ForkEdit | null
  /** Ids of the people who edited what it goes on from, so far. */
  editors: string[]
  /** Rounds that keep the provider's own form of their answer; it is known once the run is planned. */
  nativeRounds: number[]
}

type Original = { runId: string; events: readonly RunEvent[] }
type Wanted = { round: number; edit: ForkEdit | null; by: string }
type CopiedEvent = CopiedRounds['events'][number]

/**
 * Returns the rounds of a run up to one, as another run begins with them. Throws ValidationError for a round that nothing can follow,
 * and for an edit of something that is not in it.
 */
export function copyRounds(
  { runId, events }: Original,
  { round, edit, by }: Wanted,
): { copied: CopiedRounds; state: RunState } {
  const original = foldRun(events)
  requireEditable(requireFollowed(original, round), edit)
  const earlier = events.find((event) => event.type === 'copied')?.data
  const own = events.flatMap(({ at, ...body }) => copyOf(at, body))
  const kept = [...(earlier?.events ?? []), ...own].filter(({ body }) => isWithin(body, round))
  const copied: CopiedRounds = {
    runId,
    round,
    events: edit === null ? kept : kept.flatMap((event) => edited(event, round, edit)),
    edits: [
      ...(earlier?.edits ?? []).filter((each) => each.round <= round),
      ...fixedIn(original, round),
      ...marksOf(edit, { round, by }),
    ],
    recordings: recordingsAfter(original, round),
  }
  if (JSON.stringify(copied).length > mostCharacters)
    throw new ValidationError({ round: 'What the run has is too long to be copied.' })
  const [first] = events
  const second = { type: 'copied' as const, data: copied, runId, seq: 2, at: first?.at ?? 0 }
  return { copied, state: foldRun(first ? [first, second] : []) }
}

/** The most characters of a copy as JSON. */
const mostCharacters = 16 * 1024 * 1024

/** Throws for a round that has no answer, that is the last word of its run, or some of whose calls have no end. */
function requireFollowed({ rounds }: RunState, number: number): RoundView {
  const round = rounds.find((each) => each.round === number)
  const refuse = (why: string) => new ValidationError({ round: why })
  if (!round) throw refuse(`The run has no round ${number}. Its last one is ${rounds.length}.`)
  if (!round.response) throw refuse(`Round ${number} has no answer.`)
  if (round.calls.length === 0)
    throw refuse(`Round ${number} calls no tool, so nothing follows it. Continue the run instead.`)
  if (round.calls.some(({ state }) => state.type !== 'ended'))
    throw new ConflictError(`Calls of round ${number} have not ended.`)
  return round
}

function requireEditable({ calls, round }: RoundView, edit: ForkEdit | null): void {
  if (edit?.type !== 'arguments' && edit?.type !== 'result') return
  const call = calls.find(({ callId }) => callId === edit.callId)
  const refuse = (why: string) => new ValidationError({ 'edit.callId': why })
  if (!call) throw refuse(`Round ${round} has no such call.`)
  if (edit.type === 'result' && !hasResult(call)) throw refuse('This call has no result to edit.')
}

function copyOf(at: number, body: RunEventBody): CopiedEvent[] {
  switch (body.type) {
    case 'round-start':
    case 'message': {
      // The run that asked settled its reservations.
      const { reservationId: _held, ...data } = body.data
      return [{ at, body: { type: body.type, data } as CopiedEvent['body'] }]
    }
    case 'approval-request':
    case 'approval-decision':
    case 'call-start':
    case 'call-end':
    case 'warning':
      return [{ at, body: { type: body.type, data: body.data } as CopiedEvent['body'] }]
    default:
      return []
  }
}

function isWithin({ data }: CopiedEvent['body'], last: number): boolean {
  return (data.round ?? 1) <= last
}

function edited(event: CopiedEvent, round: number, edit: ForkEdit): CopiedEvent[] {
  const { at, body } = event
  if (body.data.round !== round) return [event]
  switch (edit.type) {
    case 'prompt':
      return [event]
    case 'answer':
      if (body.type !== 'message') return [event]
      return [{ at, body: { ...body, data: { ...body.data, text: edit.text } } }]
    case 'arguments':
      return withArguments(event, edit)
    case 'result':
      if (body.type !== 'call-end' || body.data.callId !== edit.callId) return [event]
      return [{ at, body: { ...body, data: { ...body.data, outcome: resultOf(body.data, edit) } } }]
    default:
      return edit satisfies never
  }
}

/** Returns the round with other arguments of a call, which has not run then. */
function withArguments({ at, body }: CopiedEvent, edit: ForkEdit & { type: 'arguments' }) {
  if (body.type === 'message') {
    const toolCalls = body.data.toolCalls.map((call) =>
      call.callId === edit.callId ? { ...call, argumentsText: edit.text } : call,
    )
    const { inText } = body.data
    // A model that asks in text has one call in its answer, and reads it there.
    const [only] = toolCalls
    const tag = inText && only && { inText: { ...inText, tag: callTag(only) } }
    return [{ at, body: { ...body, data: { ...body.data, toolCalls, ...tag } } }]
  }
  return 'callId' in body.data && body.data.callId === edit.callId ? [] : [{ at, body }]
}

type CallEnd = Extract<CopiedEvent['body'], { type: 'call-end' }>['data']

/** Returns a result that a person wrote. It keeps its data class, and counts as content of others as before. */
function resultOf({ outcome }: CallEnd, { text }: { text: string }): CallEnd['outcome'] {
  return {
    type: 'ok',
    content: text,
    truncated: false,
    originalBytes: Buffer.byteLength(text),
    artifacts: [],
    flags: suspiciousPhrases(text),
    ...(outcome.type === 'ok' && outcome.dataClass && { dataClass: outcome.dataClass }),
  }
}

function marksOf(
  edit: ForkEdit | null,
  { round, by }: Omit<Wanted, 'edit'>,
): CopiedRounds['edits'] {
  if (edit === null || edit.type === 'prompt') return []
  const callId = edit.type === 'answer' ? null : edit.callId
  return [{ round, what: edit.type, callId, by }]
}

/** Returns the results of the original up to a round that were a fixed text, which its person wrote. */
function fixedIn({ start, rounds }: RunState, last: number): CopiedRounds['edits'] {
  const by = start?.actor.email ?? ''
  const sources = resultSources(start) ?? {}
  const isFixed = ({ name }: CallView) => sources[name]?.type === 'fixed'
  return rounds
    .filter(({ round, copiedFrom }) => round <= last && copiedFrom === undefined)
    .flatMap(({ round, calls }) =>
      calls
        .filter((call) => isFixed(call) && hasResult(call))
        .map(({ callId }) => ({ round, what: 'result' as const, callId, by })),
    )
}

/** Returns what tools gave in later rounds, without what a person wrote. */
function recordingsAfter({ start, rounds }: RunState, round: number): CopiedRounds['recordings'] {
  const later = rounds.filter((each) => each.round > round)
  return later.flatMap(({ calls }) =>
    calls.flatMap((call) => {
      const { name, state, edits = [] } = call
      const isWritten = edits.length > 0 || resultSources(start)?.[name]?.type === 'fixed'
      if (state.type !== 'ended' || !hasResult(call) || isWritten) return []
      return [{ name, argumentsText: ranWith(call), outcome: state.outcome }]
    }),
  )
}
