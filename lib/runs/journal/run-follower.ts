import 'server-only'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import type { RunFeed, RunNews } from './run-feed'

/** Notifications can be lost with their connection, so the journal is read this often without one. */
const safetyPollMs = 5_000

/** A watcher that is further behind reads the database. */
const mostPending = 2_000

type Following = { signal: AbortSignal; isElsewhere: boolean }

/** Follows the news of a run, so that what is written during a read is neither lost nor read twice. */
export class RunFollower {
  readonly #signal: AbortSignal
  readonly #unsubscribe: () => void
  #pending: RunEvent[]
  /** The newest `seq` that any process wrote. */
  #newest: number
  /** Notices may be missing, as they are before the first read. */
  #missed: boolean
  /** The open answer grew. */
  #grew = false
  #notify: () => void = () => undefined
  readonly #onAbort = () => this.#notify()

  constructor(feed: RunFeed, runId: string, { signal, isElsewhere }: Following) {
    const begun = feed.begun(runId)
    this.#pending = [...(begun?.events ?? [])]
    this.#newest = this.#pending.at(-1)?.seq ?? 0
    this.#missed = begun === null
    this.#signal = signal
    this.#unsubscribe = feed.subscribe(runId, (news) => this.#hear(news), isElsewhere)
    signal.addEventListener('abort', this.#onAbort)
  }

  newest(): number {
    return this.#newest
  }

  /** Returns the events after `seq` that are in memory; null = the database must be read. */
  take(seq: number): RunEvent[] | null {
    const next = this.#pending.findIndex((event) => event.seq > seq)
    const events = next === -1 ? [] : this.#pending.slice(next)
    this.#pending = []
    this.#grew = false
    if (events[0]?.seq === seq + 1) return events
    const isKnown = events.length === 0 && this.#newest <= seq && !this.#missed
    this.#missed = false
    return isKnown ? [] : null
  }

  /** Resolves when there is something after `seq`, and after `safetyPollMs` without anything. */
  news(seq: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#missed = true
        this.#notify()
      }, safetyPollMs)
      this.#notify = () => {
        clearTimeout(timer)
        resolve()
      }
      if (this.#newest > seq || this.#missed || this.#grew || this.#signal.aborted) this.#notify()
    })
  }

  close(): void {
    this.#notify()
    this.#unsubscribe()
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  #hear(news: RunNews): void {
    // Events that were seen before may not be in the database any more.
    if (isBefore(news, this.#newest)) this.#missed = true
    if (news.type === 'missed') this.#missed = true
    else if (news.type === 'grew') this.#grew = true
    else if (news.type === 'written') this.#newest = Math.max(this.#newest, news.seq)
    else {
      this.#pending.push(...news.events)
      if (this.#pending.length > mostPending) this.#pending = this.#pending.slice(-1)
      this.#newest = Math.max(this.#newest, this.#pending.at(-1)?.seq ?? 0)
    }
    this.#notify()
  }
}

/** Returns whether something was written that should have come before event `newest`. */
function isBefore(news: RunNews, newest: number): boolean {
  if (news.type === 'written') return news.seq < newest
  return news.type === 'events' && (news.events[0]?.seq ?? newest + 1) <= newest
}
