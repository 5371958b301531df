import { redactedArguments } from '@/lib/engines/runtime/call/canary'
import type { GivenDecision } from '@/lib/engines/runtime/deps'
import type { CapDecision } from '@/lib/protocol/cost/money'
import type { FailedCall } from '@/lib/protocol/model/failed-call'
import type { ProviderFailure } from '@/lib/protocol/model/failure'
import type { ModelEvent, ModelFinish } from '@/lib/protocol/model/message'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { CallView } from '@/lib/protocol/run/round-view'
import type { RunEvent, RunEventOf } from '@/lib/protocol/run/run-event'

/** A run that ended, as it is stored. `nativeOf` returns the answer of a round as its provider wrote it. */
export type RecordedRun = {
  runId: string
  events: readonly RunEvent[]
  nativeOf: (round: number) => string | null
}

/** Approves what nobody was asked then, so that the calls after it can be looked at, too. */
export const unknownApprover = 'replay'

/** A request of a run: its round and the number of its model. */
export type RequestPlace = { round: number; target: number }
type Message = RunEventOf<'message'>['data']

/**
 * End of a request. `brokeOff`: a part of its answer had come, so that the next try was a request of its own. `lost`: its
 * process died, and another one sent it again. `stopped`: the run ended before the provider had answered.
 */
export type RecordedReply =
  | { type: 'answered'; at: number; message: Message }
  | {
      type: 'failed'
      at: number
      failure: ProviderFailure
      failedCall: FailedCall | undefined
      brokeOff: boolean
    }
  | { type: 'lost'; at: number; lost: RunEventOf<'request-lost'> }
  | { type: 'stopped'; at: number }

/** The replies, results, decisions and times of a run, each found by its place in the run. */
export type Recording = {
  runId: string
  state: RunState
  start: RunEventOf<'run-start'>['data']
  /** The rounds of another run that it goes on from; null = none. */
  copied: RunEventOf<'copied'> | null
  startedAt: number
  end: NonNullable<RunState['end']>
  /** Returns the replies of this model in this round, in order. */
  repliesTo: (place: RequestPlace) => readonly RecordedReply[]
  replyCount: number
  /** Returns what the provider streamed for a reply. */
  streamOf: (reply: Extract<RecordedReply, { type: 'answered' }>) => ModelEvent[]
  callOf: (callId: string) => CallView | undefined
  /** Returns when the run recorded a start; undefined: it has none like it. */
  timeOf: (start: { type: string; data: object }) => number | undefined
  /** Returns when the starts of this call were recorded: none, one, or one for each process that tried it. */
  startsOf: (callId: string) => readonly number[]
  decisionOn: (callId: string) => (GivenDecision['decision'] & { at: number }) | undefined
  /** Returns the last choice about a cost cap that the run knew when it was here; null: none. */
  capChoiceIn: (state: RunState, ofPanel: boolean) => CapDecision | null
  /** Returns the cost of the other members of the panel, or of the runs that calls started, as the run knew it here. */
  panelCostIn: (state: RunState) => number | null
  childCostIn: (state: RunState) => number | null
}

/** Replies of a run, as one replay takes them one after the other. */
export type OpenReplies = {
  /** Returns the next reply of this model in this round and forgets it; undefined: there is no further one. */
  take: (place: RequestPlace) => RecordedReply | undefined
  /** Returns whether this model has a further reply in this round. */
  has: (place: RequestPlace) => boolean
  /** Returns whether no request has a reply that was not taken. */
  isUsedUp: () => boolean
}

export function openReplies({ repliesTo, replyCount }: Recording): OpenReplies {
  const taken = new Map<string, number>()
  let left = replyCount
  const next = (place: RequestPlace) => repliesTo(place)[taken.get(placeKey(place)) ?? 0]
  return {
    take: (place) => {
      const reply = next(place)
      if (!reply) return undefined
      const key = placeKey(place)
      taken.set(key, (taken.get(key) ?? 0) + 1)
      left--
      return reply
    },
    has: (place) => next(place) !== undefined,
    isUsedUp: () => left === 0,
  }
}

/** A run is replayed with several policies, one after the other, and read once. */
const known = new WeakMap<RecordedRun, Recording>()

/** Reads a journal into what a replay needs of it. Throws for a run that has not begun or not ended. */
export function readRecording(run: RecordedRun): Recording {
  const found = known.get(run) ?? readJournal(run)
  known.set(run, found)
  return found
}

function readJournal({ runId, events, nativeOf }: RecordedRun): Recording {
  const state = foldRun(events)
  const { start, startedAt, end } = state
  if (!start || startedAt === null || !end) throw new Error('The run has not ended.')
  const replies = readReplies(events, end.at)
  const calls = new Map(
    state.rounds.flatMap((round) => round.calls).map((call) => [call.callId, call]),
  )
  const starts = readStarts(events)
  const notes = events.filter(({ type }) => noteEvents.has(type))
  const upTo = <T extends RunEvent['type']>(type: T, here: RunState) => {
    const next = nextEventAfter(here, events)
    return notes.filter((event): event is Extract<RunEvent, { type: T }> =>
      Boolean(event.type === type && event.seq < next),
    )
  }
  return {
    runId,
    state,
    start,
    copied: events.find((event) => event.type === 'copied') ?? null,
    startedAt,
    end,
    repliesTo: (place) => replies.get(placeKey(place)) ?? [],
    replyCount: [...replies.values()].reduce((sum, list) => sum + list.length, 0),
    streamOf: ({ message }) => streamOf(message, { start, end, native: nativeOf(message.round) }),
    callOf: (callId) => calls.get(callId),
    timeOf: ({ type, data }) => starts.get(startKey(type, data))?.at(-1),
    startsOf: (callId) => starts.get(startKey('call-start', { callId })) ?? [],
    decisionOn: (callId) => calls.get(callId)?.approval?.decision ?? undefined,
    capChoiceIn: (here, isOfPanel) =>
      upTo('cost-cap-decision', here).findLast(({ data }) => (data.ofPanel ?? false) === isOfPanel)
        ?.data ?? null,
    panelCostIn: (here) => lastOr(0, upTo('panel-cost', here), ({ data }) => data.othersMicroUsd),
    childCostIn: (here) => lastOr(0, upTo('child-cost', here), ({ data }) => data.microUsd),
  }
}

function lastOr<T, R>(none: R, list: readonly T[], read: (last: T) => R): R {
  const last = list.at(-1)
  return last === undefined ? none : read(last)
}

/**
 * Returns the number of the event with which the run went on from here: what it noted before that, it knew here. Order counts
 * and not time, because many events have the same millisecond.
 */
function nextEventAfter({ rounds }: RunState, events: readonly RunEvent[]): number {
  const last = rounds.at(-1)
  const isIn = (event: RunEvent, round: number) =>
    'round' in event.data && event.data.round === round
  const found = () => {
    if (!last) return events.find(({ type }) => type === 'round-start')
    if (!last.response)
      return events.findLast((event) => event.type === 'round-start' && isIn(event, last.round))
    const isOpen = last.calls.some(({ state }) => state.type !== 'ended')
    return isOpen
      ? events.find((event) => callEvents.has(event.type) && isIn(event, last.round))
      : events.find((event) => event.type === 'round-start' && isIn(event, last.round + 1))
  }
  return found()?.seq ?? Number.POSITIVE_INFINITY
}

/** Events about choices and costs that come from outside of the run. */
const noteEvents: ReadonlySet<RunEvent['type']> = new Set([
  'cost-cap-decision',
  'panel-cost',
  'child-cost',
])

const callEvents: ReadonlySet<RunEvent['type']> = new Set([
  'approval-request',
  'call-start',
  'call-end',
])

function placeKey({ round, target }: RequestPlace): string {
  return `${round}/${target}`
}

/** Returns the name of a start: its call or its request. */
function startKey(type: string, data: object): string {
  const { callId, round, target, attempt } = data as Partial<RequestPlace> & {
    callId?: string
    attempt?: number
  }
  return callId === undefined ? `${type} ${round}/${target}/${attempt ?? 1}` : `${type} ${callId}`
}

/** Lists the times of starts by their names, in order. */
function readStarts(events: readonly RunEvent[]): Map<string, number[]> {
  const starts = new Map<string, number[]>()
  for (const { type, data, at } of events) {
    if (type !== 'round-start' && type !== 'request-start' && type !== 'call-start') continue
    const key = startKey(type, data)
    const times = starts.get(key)
    if (times) times.push(at)
    else starts.set(key, [at])
  }
  return starts
}

/** Lists the replies by round and model. */
function readReplies(events: readonly RunEvent[], endedAt: number): Map<string, RecordedReply[]> {
  const replies = new Map<string, RecordedReply[]>()
  let open: RequestPlace | null = null
  const close = (reply: RecordedReply) => {
    if (!open) return
    const key = placeKey(open)
    replies.set(key, [...(replies.get(key) ?? []), reply])
    open = null
  }
  for (const [index, event] of events.entries()) {
    const { at } = event
    switch (event.type) {
      case 'round-start':
      case 'request-start':
        open = { round: event.data.round, target: event.data.target }
        break
      case 'message':
        close({ type: 'answered', at, message: event.data })
        break
      case 'request-lost':
        close({ type: 'lost', at, lost: { type: event.type, data: event.data } })
        break
      case 'model-retry':
        close(failedReply(at, event.data, isRequestOfItsOwn(events, index)))
        break
      case 'model-fallback':
        if (open?.target === event.data.from) close(failedReply(at, event.data))
        break
      case 'run-end': {
        const { failure, failedCall } = event.data
        if (failure) close(failedReply(at, { failure, failedCall }))
        else close({ type: 'stopped', at: endedAt })
        break
      }
    }
  }
  return replies
}

/** Returns whether the next request after an event begins the round anew. */
function isRequestOfItsOwn(events: readonly RunEvent[], index: number): boolean {
  const starts = new Set<RunEvent['type']>(['round-start', 'request-start', 'run-end'])
  const next = events.slice(index + 1).find(({ type }) => starts.has(type))
  return next?.type === 'round-start'
}

type Failed = { failure: ProviderFailure; failedCall?: FailedCall | undefined }

function failedReply(at: number, { failure, failedCall }: Failed, brokeOff = false): RecordedReply {
  return { type: 'failed', at, failure, failedCall, brokeOff }
}

type Around = {
  start: RunEventOf<'run-start'>['data']
  end: NonNullable<RunState['end']>
  native: string | null
}

/** Returns what the provider streamed for an answer: as the adapter gives it, before the loop reads it. */
function streamOf(message: Message, { start, end, native }: Around): ModelEvent[] {
  const { text, inText, reasoning, usage, errorCategory } = message
  const written = inText ? `${text}${inText.tag}${inText.after}` : text
  const thought = reasoning.map((block) => block.text).join('\n')
  const toolCalls = inText ? [] : message.toolCalls.map((call) => wireCall(call, start.canary))
  const shown: ModelEvent[] = [
    ...(thought === '' ? [] : [{ type: 'reasoning-delta' as const, text: thought }]),
    ...(written === '' ? [] : [{ type: 'text-delta' as const, text: written }]),
    ...toolCalls.map(({ name, argumentsText }, index) => ({
      type: 'tool-call-delta' as const,
      index,
      name,
      argumentsText,
    })),
  ]
  if (errorCategory) {
    const failure = end.failure ?? failureLike(errorCategory)
    return [...shown, { type: 'error', failure, usage }]
  }
  const finish: ModelFinish = {
    type: 'finish',
    finishReason: inText ? 'stop' : message.finishReason,
    text: written,
    reasoning,
    toolCalls,
    usage,
    ...(native !== null && { native }),
  }
  return [...shown, finish]
}

/** Returns a call as the model asked for it. The hidden mark was removed from what is stored, and is put back here. */
function wireCall(
  { providerCallId, name, argumentsText }: CallView | Message['toolCalls'][number],
  canary: string,
) {
  const text =
    argumentsText === redactedArguments ? JSON.stringify({ redacted: canary }) : argumentsText
  return { id: providerCallId, name, argumentsText: text }
}

function failureLike(category: ProviderFailure['category']): ProviderFailure {
  return { category, status: null, advice: '', incidentId: '', retryAfterMs: null }
}
