import type { Journal, StartType } from '@/lib/engines/runtime/deps'
import { memoryJournal } from '@/lib/engines/runtime/memory-journal'
import type { RateUse, Subject } from '@/lib/engines/runtime/policy/subject'
import { foldRun, initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import type { RunEvent, RunEventBody, RunEventOf } from '@/lib/protocol/run/run-event'
import type { Stop } from './recorded-stop'
import type { OpenReplies, RecordedReply, Recording, RequestPlace } from './recording'
import type { VirtualClock } from './virtual-clock'

/** A journal in memory whose events cost and return what they did then. */
export type RecordedJournal = Journal & {
  stateNow: () => RunState
  /** Takes the recorded reply to the request that began last; undefined: the run never made it. */
  takeReply: () => RecordedReply | undefined
}

type Options = {
  subject: Subject
  /** Returns when calls of a limited tool started in other runs, ms since 1970, in order. */
  startsOf: (toolName: string) => readonly number[]
  clock: VirtualClock
  stop: Stop
  replies: OpenReplies
}

/** Opens a journal whose starts happen when they did then, and which counts rates at those times. */
export function openRecordedJournal(
  recording: Recording,
  { subject, startsOf, clock, stop, replies }: Options,
): RecordedJournal {
  const own = new Map<string, number[]>()
  let request: RequestPlace = { round: 1, target: 0 }
  let reply: RecordedReply | undefined
  let state = initialRunState
  let unread: RunEvent[] = []
  const memory = memoryJournal({
    runId: recording.runId,
    loadSubject: async () => subject,
    now: clock.now,
    onUpdate: (update) => {
      if ('seq' in update) unread.push(update)
    },
  })
  const subjectFor = (tool: string): Subject => {
    const rate = subject.rates.get(tool)
    if (!rate) return subject
    const starts = { own: own.get(tool) ?? [], others: startsOf(tool) }
    const use = rateUseAt(clock.now(), starts, rate.perMinute)
    return { ...subject, rates: new Map(subject.rates).set(tool, { ...rate, use }) }
  }
  const append: Journal['append'] = (body, native) =>
    memory.append(asRecorded(body, recording, reply), native)
  return {
    ...memory,
    append,
    stateNow: () => {
      if (unread.length > 0) state = foldRun(unread, state)
      unread = []
      return state
    },
    takeReply: () => {
      reply = replies.take(request)
      return reply
    },
    begin: async (start: RunEventOf<StartType>, decide) => {
      clock.advanceTo(recording.timeOf(start) ?? 0)
      if (start.type !== 'call-start') {
        // One round of the loop may take milliseconds, and a run has hundreds.
        await clock.rest()
        request = start.data
        return memory.begin(start, decide)
      }
      const { name, callId } = start.data
      // The loop asks itself whether it was stopped.
      if (stop.exists && wasClosedByEnd(recording, callId)) stop.now()
      const verdict = decide(subjectFor(name))
      if (!verdict.allowed) return { verdict, event: null }
      own.set(name, [...(own.get(name) ?? []), ...startTimes(recording, callId, clock.now())])
      return { verdict, event: memory.append(start) }
    },
  }
}

/** Returns whether the end of the run closed a call that had not begun. */
function wasClosedByEnd(recording: Recording, callId: string): boolean {
  const then = recording.callOf(callId)?.state
  return then?.type === 'ended' && !then.verdict.allowed && then.verdict.gate === 'run-ended'
}

/** Returns when a call started: as then, or now if a gate kept it from it. One that its tool stopped before took no place. */
function startTimes(recording: Recording, callId: string, now: number): readonly number[] {
  const recorded = recording.startsOf(callId)
  if (recorded.length > 0) return recorded
  const then = recording.callOf(callId)?.state
  const isStopped = then?.type === 'ended' && then.verdict.allowed
  return isStopped ? [] : [now]
}

type Starts = { own: readonly number[]; others: readonly number[] }

/** Counts the starts of a tool in the run and in the minute before a moment. */
function rateUseAt(now: number, { own, others }: Starts, perMinute: number | null): RateUse {
  const since = now - 60_000
  const recent = [
    ...own.slice(placeAfter(own, since)),
    ...others.slice(placeAfter(others, since), placeAfter(others, now)),
  ]
  const inMinute = recent.length
  const isFull = perMinute !== null && inMinute >= perMinute
  const last = isFull ? recent.toSorted((a, b) => b - a)[perMinute - 1] : undefined
  return { inMinute, inRun: own.length, waitMs: last === undefined ? null : last - since }
}

/** Returns how many of these times, which are in order, are not after `at`. */
function placeAfter(times: readonly number[], at: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns an event with the figures and the result that the run recorded for it, where it has one like it. */
function asRecorded(
  body: RunEventBody,
  recording: Recording,
  reply: RecordedReply | undefined,
): RunEventBody {
  switch (body.type) {
    case 'message': {
      if (reply?.type !== 'answered') return body
      const { usage, costMicroUsd, retries } = reply.message
      return { ...body, data: { ...body.data, usage, costMicroUsd, retries } }
    }
    case 'model-retry':
      return { ...body, data: { ...body.data, failedCall: costThen(body.data, reply) } }
    case 'model-fallback':
      return { ...body, data: { ...body.data, failedCall: costThen(body.data, reply) } }
    case 'run-end':
      return { ...body, data: { ...body.data, failedCall: costThen(body.data, reply) } }
    case 'call-end': {
      const then = recording.callOf(body.data.callId)?.state
      const isSame =
        then?.type === 'ended' && then.outcome.type === 'ok' && body.data.outcome.type === 'ok'
      return isSame ? { ...body, data: { ...body.data, outcome: then.outcome } } : body
    }
    default:
      return body
  }
}

type MayHaveFailed = Pick<RunEventOf<'run-end'>['data'], 'failedCall'>

/** Returns what a failed try cost then; undefined: no request failed here, or its journal counts none. */
function costThen({ failedCall }: MayHaveFailed, reply: RecordedReply | undefined) {
  if (!failedCall) return undefined
  return reply?.type === 'failed' ? reply.failedCall : failedCall
}
