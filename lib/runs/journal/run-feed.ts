import 'server-only'
import {
  answerAfter,
  answerFrom,
  growAnswer,
  type OpenAnswer,
  type RunDelta,
  type RunPiece,
  unknownPart,
} from '@/lib/protocol/run/run-delta'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { channels, type Notifications } from './notifications'
import { parseRunNotice } from './run-notice'
import { type AnswerPlaceOf, type Send, SharedAnswers } from './shared-answers'

/**
 * What a watcher hears of its run: `events` that the engine beside it has just committed, that the open answer `grew`,
 * the newest `seq` that another process wrote, or that notices may have been `missed`.
 */
export type RunNews =
  | { type: 'events'; events: readonly RunEvent[] }
  | { type: 'grew' }
  | { type: 'written'; seq: number }
  | { type: 'missed' }

export type RunListener = (news: RunNews) => void

/** A run that this engine began, with its events so far. */
type Begun = { userId: string; events: RunEvent[] }
/** A watcher who comes later than this reads the database. */
const mostKept = 200

/** A run that this engine works on, or that somebody watches here. */
type Followed = {
  listeners: Set<RunListener>
  answer: OpenAnswer | null
  /** No answer of a request that began up to this event is open. */
  closed: number
  isOwn: boolean
  begun: Begun | null
}

const noAnswer: OpenAnswer = { runId: '', start: 0, length: 0, pieces: [] }

/** The news of runs, for the watchers in one process. */
export class RunFeed {
  readonly #followed = new Map<string, Followed>()
  readonly #instanceId: string
  readonly #shared: SharedAnswers
  readonly #unsubscribe: () => void

  /** `instanceId`: the engine it belongs to; empty = a process without an engine. `send` notifies other processes. */
  constructor(notifications: Notifications, instanceId: string, send: Send) {
    this.#instanceId = instanceId
    this.#shared = new SharedAnswers({
      notifications,
      instanceId,
      send,
      placeOf: (runId) => this.#placeOf(runId),
      receive: (delta) => this.#receive(delta),
      answerOf: (runId) => {
        const run = this.#followed.get(runId)
        return run?.isOwn ? run.answer : null
      },
    })
    this.#unsubscribe = notifications.subscribe(channels.run, (payload) => this.#hear(payload))
  }

  /** Follows a run that this engine just created, from its first event. */
  begin(userId: string, first: RunEvent): void {
    const run = this.#follow(first.runId)
    run.isOwn = true
    run.begun = { userId, events: [first] }
  }

  /** Returns whose run this is and all its events, of a run that this engine began, while it works on it and keeps them. */
  begun(runId: string): Begun | null {
    return this.#followed.get(runId)?.begun ?? null
  }

  /** Gives events of one run, just committed by this engine, to its watchers. */
  publish(events: readonly RunEvent[]): void {
    const [first] = events
    if (!first) return
    const run = this.#follow(first.runId)
    if (!run.isOwn) {
      run.isOwn = true
      this.#shared.ignore(first.runId)
    }
    keep(run, events)
    noteIn(run, events)
    this.#tell(first.runId, { type: 'events', events })
  }

  /** Gives a piece of the answer that this engine receives to watchers, here and in other processes. */
  show(runId: string, piece: RunPiece): void {
    const run = this.#followed.get(runId)
    if (!run?.answer) return
    growAnswer(run.answer, piece)
    this.#tell(runId, { type: 'grew' })
    this.#shared.grew(runId)
  }

  /** Notes events that a watcher read: they may close the open answer that another process shared. */
  note(events: readonly RunEvent[]): void {
    const run = events[0] && this.#followed.get(events[0].runId)
    if (run && !run.isOwn) noteIn(run, events)
  }

  /** Returns what the open answer of a run has after this place; nothing when its request began after event `seq`. */
  answer(runId: string, seen: { seq: number; start: number; length: number }): RunDelta[] {
    const answer = this.#followed.get(runId)?.answer
    if (!answer || answer.start > seen.seq) return []
    return answerFrom(answer, seen.start === answer.start ? seen.length : 0)
  }

  /** Returns the open answers of the runs that this engine works on. */
  openAnswers(): OpenAnswer[] {
    return [...this.#followed.values()].flatMap(({ isOwn, answer }) =>
      isOwn && answer ? [answer] : [],
    )
  }

  /** Forgets a run that this engine no longer works on. */
  leave(runId: string): void {
    const run = this.#followed.get(runId)
    if (!run) return
    run.isOwn = false
    run.answer = null
    run.closed = 0
    run.begun = null
    // It may have left because what was told of it is not in the database any more.
    this.#tell(runId, { type: 'missed' })
    this.#dropIdle(runId)
  }

  /** Calls `listener` with the news of a run, which this engine works on or not. Returns the function that unsubscribes. */
  subscribe(runId: string, listener: RunListener, isElsewhere = false): () => void {
    const run = this.#follow(runId)
    run.listeners.add(listener)
    if (isElsewhere && !run.isOwn) this.#shared.want(runId)
    return () => {
      run.listeners.delete(listener)
      this.#dropIdle(runId)
    }
  }

  /** Stops what is sent and requested. */
  close(): void {
    this.#unsubscribe()
    this.#shared.close()
  }

  #follow(runId: string): Followed {
    const known = this.#followed.get(runId)
    if (known) return known
    const added: Followed = {
      listeners: new Set(),
      answer: null,
      closed: 0,
      isOwn: false,
      begun: null,
    }
    this.#followed.set(runId, added)
    return added
  }

  #dropIdle(runId: string): void {
    const run = this.#followed.get(runId)
    if (!run || run.listeners.size > 0) return
    this.#shared.ignore(runId)
    if (!run.isOwn) this.#followed.delete(runId)
  }

  #tell(runId: string, news: RunNews): void {
    for (const listener of this.#followed.get(runId)?.listeners ?? []) listener(news)
  }

  /** Hears which runs were written; empty = notifications may have been lost. */
  #hear(payload: string): void {
    if (this.#followed.size === 0) return
    if (payload === '') {
      for (const runId of this.#followed.keys()) this.#tell(runId, { type: 'missed' })
      return
    }
    const { writer, runs } = parseRunNotice(payload)
    // The events of this engine are published with their content.
    if (writer === this.#instanceId) return
    for (const { runId, seq } of runs) {
      const run = this.#followed.get(runId)
      if (!run || run.listeners.size === 0) continue
      if (!run.isOwn) this.#shared.want(runId)
      this.#tell(runId, { type: 'written', seq })
    }
  }

  /** Adds what another process shared. Returns false when something before it is missing here. */
  #receive(delta: RunDelta): boolean {
    const run = this.#followed.get(delta.runId)
    if (!run || run.isOwn || delta.start <= run.closed) return true
    const { runId, start } = delta
    if (!run.answer || run.answer.start < start) {
      run.answer = { runId, start, length: 0, pieces: [] }
    }
    const part = unknownPart(delta, run.answer)
    if (part) {
      growAnswer(run.answer, part)
      this.#tell(runId, { type: 'grew' })
    }
    return delta.offset <= run.answer.length || run.answer.start > start
  }

  #placeOf(runId: string): AnswerPlaceOf {
    const { start = 0, length = 0 } = this.#followed.get(runId)?.answer ?? {}
    return { runId, start, length }
  }
}

/** Keeps events for watchers who come soon. Their texts are in the memory of the run anyway. */
function keep(run: Followed, events: readonly RunEvent[]): void {
  const kept = run.begun?.events
  if (!kept) return
  const follows = events[0]?.seq === (kept.at(-1)?.seq ?? 0) + 1
  if (follows && kept.length + events.length <= mostKept) kept.push(...events)
  else run.begun = null
}

/** Notes which answer is open after these events. */
function noteIn(run: Followed, events: readonly RunEvent[]): void {
  for (const event of events) {
    if (event.seq <= run.closed) continue
    const before = run.answer ?? noAnswer
    const after = answerAfter(before, event)
    if (after === before) continue
    run.answer = after
    run.closed = after ? after.start - 1 : event.seq
  }
}
