import { ownRounds, type RunState } from './fold-run'
import type { CallView, RoundNote, RoundView } from './round-view'

/**
 * Phase of a run. A round has a `request` in progress, one that `failed`, or an answer (`first-token`, then
 * `streaming`); a call is `waiting` for a person or `running`.
 */
type SpanKind = 'request' | 'failed' | 'first-token' | 'streaming' | 'waiting' | 'running'

/** A while in ms since the start of the run; `to` null = it still goes on. */
type Span = { kind: SpanKind; from: number; to: number | null }

/** A span with its place on the axis of the picture; `right` null = it ends where the picture ends. */
export type Bar = Span & { left: number; right: number | null }

/** Bars of one lane follow one another; calls that were at work or waited at the same time have different lanes. */
export type CallLine = { call: CallView; lane: number; bars: Bar[] }

export type RoundLine = { round: RoundView; bars: Bar[]; calls: CallLine[]; lanes: number }

/** Current end of a picture: in ms since the start of the run, and on its axis. `isOpen`: work goes on there. */
export type TimelinePoint = { at: number; axis: number; workMs: number; isOpen: boolean }

/** When and how much a run worked, round by round. The axis is work: time without any is drawn short. */
export type Timeline = { lines: RoundLine[]; end: TimelinePoint; lanes: number }

export const axisStart: TimelinePoint = { at: 0, axis: 0, workMs: 0, isOpen: false }

/** Returns the picture of a run. Of rounds that did not change since, it returns the same lines as before. */
export function timelineOf(state: RunState): Timeline {
  const { startedAt, end } = state
  const zero = startedAt ?? 0
  const facts = { zero, endsAt: end && end.at - zero, failedCall: end?.failedCall ?? null }
  const lines: RoundLine[] = []
  let place = axisStart
  for (const round of ownRounds(state)) {
    const laid = laidRound(round, place, facts)
    lines.push(laid.line)
    place = laid.after
  }
  return { lines, end: place, lanes: Math.max(1, ...lines.map((line) => line.lanes)) }
}

/** Returns how long the axis is at this time, in ms since the start of the run. */
export function axisAt({ at, axis, workMs, isOpen }: TimelinePoint, nowMs: number): number {
  const passed = Math.max(0, nowMs - at)
  return axis + (isOpen ? passed : Math.min(passed, mostIdle(workMs)))
}

/**
 * Returns how long a time without work is drawn at most: a quarter of the work before it, at least a second. Time before
 * any work is not drawn.
 */
function mostIdle(workMs: number): number {
  return workMs === 0 ? 0 : Math.max(1_000, workMs / 4)
}

type Facts = {
  zero: number
  /** null = the run has not ended. */
  endsAt: number | null
  /** The request that ended the run. */
  failedCall: { round: number; latencyMs: number } | null
}

type Laid = { before: TimelinePoint; endsAt: number | null; line: RoundLine; after: TimelinePoint }
const known = new WeakMap<RoundView, Laid>()

function laidRound(round: RoundView, before: TimelinePoint, facts: Facts): Laid {
  const found = known.get(round)
  if (found && found.endsAt === facts.endsAt && isSamePlace(found.before, before)) return found
  const requests = requestSpans(round, before.at, facts)
  const answeredAt = requests.at(-1)?.to ?? before.at
  const calls = round.calls.map((call) => ({ call, spans: callSpans(call, answeredAt, facts) }))
  const work = [...requests, ...calls.flatMap(({ spans }) => spans)].filter(isWork)
  const { onAxis, after } = openAxis(before, merged(work))
  const toBar = (span: Span): Bar => ({
    ...span,
    left: onAxis(span.from),
    right: span.to === null ? null : onAxis(span.to),
  })
  const laneOf = openLanes()
  const line = {
    round,
    bars: requests.map(toBar),
    calls: calls.map(({ call, spans }) => ({ call, lane: laneOf(spans), bars: spans.map(toBar) })),
    lanes: laneOf.count(),
  }
  const laid = { before, endsAt: facts.endsAt, line, after }
  known.set(round, laid)
  return laid
}

function isSamePlace(a: TimelinePoint, b: TimelinePoint): boolean {
  return a.at === b.at && a.axis === b.axis && a.workMs === b.workMs && a.isOpen === b.isOpen
}

export function isWork({ kind }: Pick<Span, 'kind'>): boolean {
  return kind !== 'waiting'
}

/** Returns the tries of a round's request, one after the other. */
function requestSpans(round: RoundView, least: number, { zero, endsAt, failedCall }: Facts) {
  const spans: Span[] = []
  // Another process may have another clock: what followed is never drawn before what it followed.
  const add = (kind: SpanKind, from: number, lengthMs: number) => {
    const begin = Math.max(from, spans.at(-1)?.to ?? least)
    if (lengthMs > 0) spans.push({ kind, from: begin, to: begin + lengthMs })
  }
  for (const note of round.notes) {
    const failed = failedTry(note)
    if (failed) add('failed', note.at - zero - failed.latencyMs, failed.latencyMs)
  }
  const askedMs = round.askedAt - zero
  if (round.response) {
    const { latencyMs, firstTokenMs } = round.response
    const silentMs = Math.min(firstTokenMs ?? latencyMs, latencyMs)
    add('first-token', askedMs, silentMs)
    add('streaming', askedMs + silentMs, latencyMs - silentMs)
  } else if (failedCall?.round === round.round && endsAt !== null) {
    add('failed', endsAt - failedCall.latencyMs, failedCall.latencyMs)
  } else if (round.requested) {
    const from = Math.max(askedMs, spans.at(-1)?.to ?? least)
    spans.push({ kind: 'request', from, to: endsAt === null ? null : Math.max(from, endsAt) })
  }
  return spans
}

/** Returns the request that a note says had no answer; null = it is about something else, or none was sent. */
function failedTry(note: RoundNote): { latencyMs: number } | null {
  switch (note.type) {
    case 'retry':
    case 'fallback':
      return note.data.failedCall ?? null
    case 'lost':
      return note.data
    case 'key-change':
    case 'warning':
      return null
    default:
      return note satisfies never
  }
}

/** Returns how long a call waited for a person, and how long it ran. */
function callSpans({ approval, state }: CallView, least: number, { zero, endsAt }: Facts): Span[] {
  const spans: Span[] = []
  if (approval) {
    const from = Math.max(least, approval.requestedAt - zero)
    const to = approval.decision ? approval.decision.at - zero : endsAt
    spans.push({ kind: 'waiting', from, to: to && Math.max(from, to) })
  }
  const after = spans.at(-1)?.to ?? least
  if (state.type === 'running') {
    const from = Math.max(after, state.startedAt - zero)
    spans.push({ kind: 'running', from, to: endsAt && Math.max(from, endsAt) })
  } else if (state.type === 'ended') {
    const from = Math.max(after, state.endedAt - zero - state.durationMs)
    spans.push({ kind: 'running', from, to: from + state.durationMs })
  }
  return spans
}

/** Returns when there was work: spans that touch become one. `to` null = it goes on. */
export function merged(spans: readonly Span[]): { from: number; to: number | null }[] {
  const all: { from: number; to: number | null }[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (!last || (last.to !== null && last.to < from)) all.push({ from, to })
    else if (last.to !== null) last.to = to === null ? null : Math.max(last.to, to)
  }
  return all
}

/** A part of the axis: it begins at `from` ms, and a ms is `rate` long there, all of it at most `most`. */
type Part = { from: number; axis: number; rate: number; most: number }

/** Continues the axis with what worked when. `onAxis` returns the place of a time, in ms since the start of the run. */
export function openAxis(
  before: TimelinePoint,
  work: readonly { from: number; to: number | null }[],
) {
  const parts: Part[] = []
  let { at, axis, workMs, isOpen } = before
  for (const { from, to } of work) {
    if (from > at) {
      const most = isOpen ? Number.POSITIVE_INFINITY : mostIdle(workMs)
      const length = Math.min(from - at, most)
      parts.push({ from: at, axis, rate: length / (from - at), most })
      axis += length
      at = from
    }
    parts.push({ from: at, axis, rate: 1, most: Number.POSITIVE_INFINITY })
    isOpen = to === null
    if (to === null) break
    axis += Math.max(0, to - at)
    workMs += Math.max(0, to - at)
    at = Math.max(at, to)
  }
  const after = { at, axis, workMs, isOpen }
  if (!isOpen) parts.push({ from: at, axis, rate: 1, most: mostIdle(workMs) })
  return {
    after,
    onAxis: (ms: number): number => {
      const part = parts.findLast(({ from }) => from <= ms)
      return part ? part.axis + Math.min((ms - part.from) * part.rate, part.most) : before.axis
    },
  }
}

/** Gives each call the first lane that is free by then. */
function openLanes() {
  const ends: number[] = []
  const laneOf = (spans: readonly Span[]): number => {
    const [first] = spans
    if (!first) return 0
    const free = ends.findIndex((end) => end <= first.from)
    const lane = free === -1 ? ends.length : free
    ends[lane] = spans.at(-1)?.to ?? Number.POSITIVE_INFINITY
    return lane
  }
  return Object.assign(laneOf, { count: () => ends.length })
}

/** A bar that is named because of its figure; `callId` null = it is the round's own. */
type Extreme = { round: number; callId: string | null; figure: number }

/** Returns what took longest, in ms, and the round that cost most, in micro-USD; null = there is nothing to compare it with. */
export function extremesOf({ lines }: Timeline): {
  slowest: Extreme | null
  dearest: Extreme | null
} {
  const took = lines.flatMap(({ round, calls }) => [
    ...(round.response
      ? [{ round: round.round, callId: null, figure: round.response.latencyMs }]
      : []),
    ...calls.flatMap(({ call: { callId, state } }) =>
      state.type === 'ended' ? [{ round: round.round, callId, figure: state.durationMs }] : [],
    ),
  ])
  const costs = lines.flatMap(({ round: { round, response } }) =>
    response?.costMicroUsd ? [{ round, callId: null, figure: response.costMicroUsd }] : [],
  )
  return { slowest: most(took), dearest: most(costs) }
}

function most(all: readonly Extreme[]): Extreme | null {
  if (all.length < 2) return null
  return all.reduce((found, each) => (each.figure > found.figure ? each : found))
}
