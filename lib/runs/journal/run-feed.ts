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
import { type AnswerPlaceOf, openSharedAnswers, type Send } from './shared-answers'

/**
 * What a watcher hears of its run: `events` that the engine beside it has just committed, that the open answer `grew`,
 * the newest `seq` that another process wrote, or that notices may have been `missed`.
 */
export type RunNews =
  | { type: 'events'; events: readonly RunEvent[] }
  | { type: 'grew' }
  | { type: 'written'; seq: number }
  | { type: 'missed' }

/** What happens in runs, for the watchers in one process. */
export type RunFeed = {
  /** Follows a run that this engine just created, from its first event. */
  begin: (userId: string, first: RunEvent) => void
  /** Returns whose run this is and all its events, of a run that this engine began, while it works on it and keeps them. */
  begun: (runId: string) => Begun | null
  /** Gives events of one run, just committed by this engine, to its watchers. */
  publish: (events: readonly RunEvent[]) => void
  /** Gives a piece of the answer that this engine receives to watchers, here and in other processes. */
  show: (runId: string, piece: RunPiece) => void
  /** Notes events that a watcher read: they may close the open answer that another process shared. */
  note: (events: readonly RunEvent[]) => void
  /** Returns what the open answer of a run has after this place; nothing when its request began after event `seq`. */
  answer: (runId: string, seen: { seq: number; start: number; length: number }) => RunDelta[]
  /** Returns the open answers of the runs that this engine works on. */
  openAnswers: () => OpenAnswer[]
  /** Forgets a run that this engine no longer works on. */
  leave: (runId: string) => void
  /** Calls `listener` with the news of a run, which this engine works on or not. Returns the function that unsubscribes. */
  subscribe: (runId: string, listener: Listener, isElsewhere?: boolean) => () => void
  /** Stops what is sent and asked for. */
  close: () => void
}
type Listener = (news: RunNews) => void

/** A run that this engine began, with its events so far. */
type Begun = { userId: string; events: RunEvent[] }
/** A watcher who comes later than this reads the database. */
const mostKept = 200

/** A run that this engine works on, or that somebody watches here. */
type Followed = {
  listeners: Set<Listener>
  answer: OpenAnswer | null
  /** No answer of a request that began up to this event is open. */
  closed: number
  isOwn: boolean
  begun: Begun | null
}

const noAnswer: OpenAnswer = { runId: '', start: 0, length: 0, pieces: [] }

/** Opens the feed of the engine `instanceId`; empty = a process without an engine. `send` notifies other processes. */
export function openRunFeed(notifications: Notifications, instanceId: string, send: Send): RunFeed {
  const followed = new Map<string, Followed>()

  const follow = (runId: string): Followed => {
    const known = followed.get(runId)
    if (known) return known
    const added: Followed = {
      ...{ listeners: new Set(), answer: null, closed: 0, isOwn: false, begun: null },
    }
    followed.set(runId, added)
    return added
  }

  const dropIdle = (runId: string): void => {
    const run = followed.get(runId)
    if (!run || run.listeners.size > 0) return
    shared.ignore(runId)
    if (!run.isOwn) followed.delete(runId)
  }

  const tell = (runId: string, news: RunNews): void => {
    for (const listener of followed.get(runId)?.listeners ?? []) listener(news)
  }

  const noteIn = (run: Followed, events: readonly RunEvent[]): void => {
    for (const event of events) {
      if (event.seq <= run.closed) continue
      const before = run.answer ?? noAnswer
      const after = answerAfter(before, event)
      if (after === before) continue
      run.answer = after
      run.closed = after ? after.start - 1 : event.seq
    }
  }

  /** Adds what another process shared. Returns false when something before it is missing here. */
  const receive = (delta: RunDelta): boolean => {
    const run = followed.get(delta.runId)
    if (!run || run.isOwn || delta.start <= run.closed) return true
    const { runId, start } = delta
    if (!run.answer || run.answer.start < start) {
      run.answer = { runId, start, length: 0, pieces: [] }
    }
    const part = unknownPart(delta, run.answer)
    if (part) {
      growAnswer(run.answer, part)
      tell(runId, { type: 'grew' })
    }
    return delta.offset <= run.answer.length || run.answer.start > start
  }

  const placeOf = (runId: string): AnswerPlaceOf => {
    const { start = 0, length = 0 } = followed.get(runId)?.answer ?? {}
    return { runId, start, length }
  }

  const shared = openSharedAnswers({
    ...{ notifications, instanceId, send, placeOf, receive },
    answerOf: (runId) => {
      const run = followed.get(runId)
      return run?.isOwn ? run.answer : null
    },
  })

  const unsubscribe = notifications.subscribe(channels.run, (payload) => {
    if (followed.size === 0) return
    if (payload === '') {
      for (const runId of followed.keys()) tell(runId, { type: 'missed' })
      return
    }
    const { writer, runs } = parseRunNotice(payload)
    // The events of this engine are published with their content.
    if (writer === instanceId) return
    for (const { runId, seq } of runs) {
      const run = followed.get(runId)
      if (!run || run.listeners.size === 0) continue
      if (!run.isOwn) shared.want(runId)
      tell(runId, { type: 'written', seq })
    }
  })

  /** Keeps events for watchers who come soon. Their texts are in the memory of the run anyway. */
  const keep = (run: Followed, events: readonly RunEvent[]): void => {
    const kept = run.begun?.events
    if (!kept) return
    const follows = events[0]?.seq === (kept.at(-1)?.seq ?? 0) + 1
    if (follows && kept.length + events.length <= mostKept) kept.push(...events)
    else run.begun = null
  }

  return {
    begin: (userId, first) => {
      const run = follow(first.runId)
      run.isOwn = true
      run.begun = { userId, events: [first] }
    },
    begun: (runId) => followed.get(runId)?.begun ?? null,
    publish: (events) => {
      const [first] = events
      if (!first) return
      const run = follow(first.runId)
      if (!run.isOwn) {
        run.isOwn = true
        shared.ignore(first.runId)
      }
      keep(run, events)
      noteIn(run, events)
      tell(first.runId, { type: 'events', events })
    },
    show: (runId, piece) => {
      const run = followed.get(runId)
      if (!run?.answer) return
      growAnswer(run.answer, piece)
      tell(runId, { type: 'grew' })
      shared.grew(runId)
    },
    note: (events) => {
      const run = events[0] && followed.get(events[0].runId)
      if (run && !run.isOwn) noteIn(run, events)
    },
    answer: (runId, seen) => {
      const answer = followed.get(runId)?.answer
      if (!answer || answer.start > seen.seq) return []
      return answerFrom(answer, seen.start === answer.start ? seen.length : 0)
    },
    openAnswers: () =>
      [...followed.values()].flatMap(({ isOwn, answer }) => (isOwn && answer ? [answer] : [])),
    leave: (runId) => {
      const run = followed.get(runId)
      if (!run) return
      run.isOwn = false
      run.answer = null
      run.closed = 0
      run.begun = null
      // It may have left because what was told of it is not in the database any more.
      tell(runId, { type: 'missed' })
      dropIdle(runId)
    },
    subscribe: (runId, listener, isElsewhere = false) => {
      const run = follow(runId)
      run.listeners.add(listener)
      if (isElsewhere && !run.isOwn) shared.want(runId)
      return () => {
        run.listeners.delete(listener)
        dropIdle(runId)
      }
    },
    close: () => {
      unsubscribe()
      shared.close()
    },
  }
}

/** Returns whether something was written that should have come before event `newest`. */
function isBefore(news: RunNews, newest: number): boolean {
  if (news.type === 'written') return news.seq < newest
  return news.type === 'events' && (news.events[0]?.seq ?? newest + 1) <= newest
}

/** Notifications can be lost with their connection, so the journal is read this often without one. */
const safetyPollMs = 5_000

/** A watcher that is further behind reads the database. */
const mostPending = 2_000

type Following = { signal: AbortSignal; isElsewhere: boolean }

/** Follows the news of a run, so that what is written during a read is neither lost nor read twice. */
export function followRun(feed: RunFeed, runId: string, { signal, isElsewhere }: Following) {
  const begun = feed.begun(runId)
  let pending: RunEvent[] = [...(begun?.events ?? [])]
  /** The newest `seq` that any process wrote. */
  let newest = pending.at(-1)?.seq ?? 0
  /** Notices may be missing, as they are before the first read. */
  let missed = begun === null
  /** The open answer grew. */
  let grew = false
  let notify: () => void = () => undefined
  const listen: Listener = (news) => {
    // What was seen before may not be in the database any more.
    if (isBefore(news, newest)) missed = true
    if (news.type === 'missed') missed = true
    else if (news.type === 'grew') grew = true
    else if (news.type === 'written') newest = Math.max(newest, news.seq)
    else {
      pending.push(...news.events)
      if (pending.length > mostPending) pending = pending.slice(-1)
      newest = Math.max(newest, pending.at(-1)?.seq ?? 0)
    }
    notify()
  }
  const unsubscribe = feed.subscribe(runId, listen, isElsewhere)
  const onAbort = () => notify()
  signal.addEventListener('abort', onAbort)
  return {
    newest: () => newest,
    /** Returns the events after `seq` that are in memory; null = the database must be read. */
    take: (seq: number): RunEvent[] | null => {
      const next = pending.findIndex((event) => event.seq > seq)
      const events = next === -1 ? [] : pending.slice(next)
      pending = []
      grew = false
      if (events[0]?.seq === seq + 1) return events
      const isKnown = events.length === 0 && newest <= seq && !missed
      missed = false
      return isKnown ? [] : null
    },
    /** Resolves when there is something after `seq`, and after `safetyPollMs` without anything. */
    news: (seq: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          missed = true
          notify()
        }, safetyPollMs)
        notify = () => {
          clearTimeout(timer)
          resolve()
        }
        if (newest > seq || missed || grew || signal.aborted) notify()
      }),
    close: () => {
      notify()
      unsubscribe()
      signal.removeEventListener('abort', onAbort)
    },
  }
}
