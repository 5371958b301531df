import { redactedArguments } from '@/lib/engines/runtime/call/canary'
import type { GivenDecision } from '@/lib/engines/runtime/deps'
import type { CapDecision } from '@/lib/protocol/cost/money'
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

type Place = { round: number; target: number }
type Message = RunEventOf<'message'>['data']

/** End of a request. `stopped`: the run ended before the provider had answered. */
type RecordedReply =
  | { type: 'answered'; at: number; message: Message }
  | { type: 'failed'; at: number; failure: ProviderFailure }
  | { type: 'stopped'; at: number }

/** The replies, results, decisions and times of a run, each found by its place in the run. */
export type Recording = {
  runId: string
  state: RunState
  start: RunEventOf<'run-start'>['data']
  startedAt: number
  end: NonNullable<RunState['end']>
  /** Returns the next reply of this model in this round and forgets it; undefined: there is no further one. */
  takeReply: (place: Place) => RecordedReply | undefined
  /** Returns whether this model has a further reply in this round. */
  hasReply: (place: Place) => boolean
  /** Returns what the provider streamed for a reply. */
  streamOf: (reply: Extract<RecordedReply, { type: 'answered' }>) => ModelEvent[]
  callOf: (callId: string) => CallView | undefined
  /** Returns when the run recorded a start; undefined: it has none like it. */
  timeOf: (start: { type: string; data: object }) => number | undefined
  decisionOn: (callId: string) => (GivenDecision['decision'] & { at: number }) | undefined
  /** Returns the last choice about a cost cap up to a time; null: none. */
  capChoiceAt: (at: number, ofPanel: boolean) => CapDecision | null
  /** Returns the last noted cost of the other members of the panel, or of the runs that calls started, up to a time. */
  panelCostAt: (at: number) => number | null
  childCostAt: (at: number) => number | null
}

/** Reads a journal into what a replay needs of it. Throws for a run that has not begun or not ended. */
export function readRecording({ runId, events, nativeOf }: RecordedRun): Recording {
  const state = foldRun(events)
  const { start, startedAt, end } = state
  if (!start || startedAt === null || !end) throw new Error('The run has not ended.')
  const replies = readReplies(events, end.at)
  const calls = new Map(
    state.rounds.flatMap((round) => round.calls).map((call) => [call.callId, call]),
  )
  const starts = readStarts(events)
  const lastUpTo = <T extends RunEvent['type']>(type: T, at: number) =>
    events.findLast((event): event is Extract<RunEvent, { type: T }> =>
      Boolean(event.type === type && event.at <= at),
    )
  return {
    runId,
    state,
    start,
    startedAt,
    end,
    takeReply: ({ round, target }) => replies.get(placeKey({ round, target }))?.shift(),
    hasReply: (place) => (replies.get(placeKey(place)) ?? []).length > 0,
    streamOf: ({ message }) => streamOf(message, { start, end, native: nativeOf(message.round) }),
    callOf: (callId) => calls.get(callId),
    timeOf: ({ type, data }) => starts.get(startKey(type, data)),
    decisionOn: (callId) => calls.get(callId)?.approval?.decision ?? undefined,
    capChoiceAt: (at, ofPanel) => {
      const last = events.findLast(
        (event) =>
          event.type === 'cost-cap-decision' &&
          event.at <= at &&
          (event.data.ofPanel ?? false) === ofPanel,
      )
      return last?.type === 'cost-cap-decision' ? last.data : null
    },
    panelCostAt: (at) => lastUpTo('panel-cost', at)?.data.othersMicroUsd ?? 0,
    childCostAt: (at) => {
      const last = lastUpTo('child-cost', at)
      return last ? last.data.microUsd : 0
    },
  }
}

function placeKey({ round, target }: Place): string {
  return `${round}/${target}`
}

/** Returns the name of a start: its call or its request. Of several attempts of one, the last one counts. */
function startKey(type: string, data: object): string {
  const { callId, round, target, attempt } = data as Partial<Place> & {
    callId?: string
    attempt?: number
  }
  return callId === undefined ? `${type} ${round}/${target}/${attempt ?? 1}` : `${type} ${callId}`
}

function readStarts(events: readonly RunEvent[]): Map<string, number> {
  const starts = new Map<string, number>()
  for (const { type, data, at } of events) {
    if (type === 'round-start' || type === 'request-start' || type === 'call-start')
      starts.set(startKey(type, data), at)
  }
  return starts
}

/** Lists the replies by round and model. A request that a process left behind was sent again, and has no reply. */
function readReplies(events: readonly RunEvent[], endedAt: number): Map<string, RecordedReply[]> {
  const replies = new Map<string, RecordedReply[]>()
  let open: Place | null = null
  const close = (reply: RecordedReply) => {
    if (!open) return
    const key = placeKey(open)
    replies.set(key, [...(replies.get(key) ?? []), reply])
    open = null
  }
  for (const event of events) {
    const { at } = event
    switch (event.type) {
      case 'round-start':
      case 'request-start':
        open = { round: event.data.round, target: event.data.target }
        break
      case 'message':
        close({ type: 'answered', at, message: event.data })
        break
      case 'model-retry':
        close({ type: 'failed', at, failure: event.data.failure })
        break
      case 'model-fallback':
        if (open?.target === event.data.from)
          close({ type: 'failed', at, failure: event.data.failure })
        break
      case 'run-end':
        if (event.data.failure) close({ type: 'failed', at, failure: event.data.failure })
        else close({ type: 'stopped', at: endedAt })
        break
    }
  }
  return replies
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
