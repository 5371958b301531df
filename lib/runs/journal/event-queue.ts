import 'server-only'
import type { NativeAnswers } from '@/lib/engines/runtime/ask/native-answers'
import { JournalLostError } from '@/lib/engines/runtime/deps'
import type { RunEvent, RunEventBody } from '@/lib/protocol/run/run-event'
import type { JournalWriter } from './journal-writer'
import { changesRun, type RunFacts } from './run-changes'
import type { RunFeed } from './run-feed'
import type { Written } from './write-entries'
import { noteWritten, type WrittenEvents } from './written-events'

/** Events that nobody waits for are written with the next start, or after this time. */
const delayMs = 20

export type QueueOptions = {
  writer: JournalWriter
  /** Receives the events that were written, and at once what the open round streams. */
  feed: RunFeed
  facts: RunFacts
  lastSeq: number
  /** `lastSeq` of the row of the run. */
  rowSeq: number
  /** The journal adds what it writes. */
  written: WrittenEvents
  /** The clock of the run, whose time is never before the last event. */
  now: () => number
  /** Native answers of the rounds so far; the journal updates them. */
  natives: NativeAnswers
}

/**
 * The events of one run that are not written yet. It writes strictly in sequence, so the order of `seq` is the order of
 * commits.
 */
export class EventQueue {
  readonly #options: QueueOptions
  #seq: number
  #rowSeq: number
  /** Events that are not on their way yet. */
  #queue: RunEvent[] = []
  #tail: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #lost: JournalLostError | null = null

  constructor(options: QueueOptions) {
    this.#options = options
    this.#seq = options.lastSeq
    this.#rowSeq = options.rowSeq
  }

  /** After a failure of the journal, nothing is written any more. */
  get isLost(): boolean {
    return this.#lost !== null
  }

  /** Gives an event its number and time. */
  place(body: RunEventBody): RunEvent {
    const { facts, now } = this.#options
    const event = { ...body, runId: facts.runId, seq: ++this.#seq, at: now() }
    this.#queue.push(event)
    return event
  }

  /** Takes back starts that were not written. The events after them move up, so that no number is missing. */
  withdraw(starts: ReadonlySet<RunEvent>): void {
    this.#queue = this.#queue.filter((event) => !starts.has(event))
    this.#seq -= starts.size
    const first = this.#seq - this.#queue.length + 1
    for (const [index, event] of this.#queue.entries()) event.seq = first + index
  }

  /** Runs `work` after all earlier work. After a failure of the journal, rejects with it and runs nothing more. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#tail.then(() => {
      if (this.#lost) throw this.#lost
      return work()
    })
    this.#tail = mine.then(
      () => undefined,
      () => undefined,
    )
    return mine
  }

  /** Notes the failure after which the journal is lost, and returns the first one. */
  lose(cause: unknown): JournalLostError {
    this.#lost ??=
      cause instanceof JournalLostError ? cause : new JournalLostError(String(cause), { cause })
    return this.#lost
  }

  /** Writes the queue, and puts it back when a start in it was decided by another version of the policy. */
  async write(
    policyVersion: string | null,
    write = this.#options.writer.write,
  ): Promise<{ written: Written; events: readonly RunEvent[] }> {
    const events = this.#queue
    this.#queue = []
    if (events.length === 0) return { written: 'written', events }
    try {
      const { facts } = this.#options
      const native = this.#nativeOf(events)
      const written = await write({ facts, events, rowSeq: this.#rowSeq, native, policyVersion })
      if (written === 'lost')
        throw new JournalLostError(
          'Another process works on this run, or the database went back to an earlier state.',
        )
      if (written === 'policy-changed') this.#queue = [...events, ...this.#queue]
      return { written, events }
    } catch (error) {
      throw this.lose(error)
    }
  }

  /** Tells watchers of events that are stored. */
  publish(events: readonly RunEvent[]): void {
    noteWritten(this.#options.written, events)
    if (events.some(changesRun)) this.#rowSeq = events.at(-1)?.seq ?? this.#rowSeq
    this.#options.feed.publish(events)
  }

  /** Writes and publishes the queue at once, in the turn of the caller. */
  async flushNow(): Promise<void> {
    const { events } = await this.write(null)
    this.publish(events)
  }

  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    return this.inTurn(() => this.flushNow())
  }

  /** Writes the queue soon. */
  schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      // The next flush that is awaited rejects with this error.
      this.flush().catch(() => undefined)
    }, delayMs)
  }

  /** Returns the answer as its provider wrote it, of the message among these events. */
  #nativeOf(events: readonly RunEvent[]): { round: number; content: string } | null {
    const message = events.findLast((event) => event.type === 'message')
    const content = message && this.#options.natives.get(message.data.round)
    return message && content !== undefined ? { round: message.data.round, content } : null
  }
}
