import 'server-only'
import { keepNative, type NativeAnswers } from '@/lib/engines/runtime/ask/native-answers'
import { type Journal, JournalLostError, type SavedImage } from '@/lib/engines/runtime/deps'
import type { Database } from '@/lib/kernel/db'
import type { RunPiece } from '@/lib/protocol/run/run-delta'
import type { RunEvent, RunEventBody } from '@/lib/protocol/run/run-event'
import { keepRunImages } from '@/lib/runs/files/keep-run-images'
import type { JournalWriter } from './journal-writer'
import { changesRun, type RunFacts } from './run-changes'
import type { RunFeed } from './run-feed'
import { type EventQueue, type StartOptions, StartQueue } from './start-queue'
import type { Written } from './write-entries'
import { noteWritten, type WrittenEvents } from './written-events'

/** Events that nobody waits for are written with the next start, or after this time. */
const delayMs = 20

type QueueOptions = {
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
 * The journal of one run in the database. It writes strictly in sequence, so the order of `seq` is the order of commits.
 */
export class RunJournal implements Journal, EventQueue {
  readonly #options: QueueOptions & StartOptions
  readonly #starts: StartQueue
  #seq: number
  #rowSeq: number
  /** Events that are not on their way yet. */
  #queue: RunEvent[] = []
  #tail: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #lost: JournalLostError | null = null

  constructor(options: QueueOptions & StartOptions) {
    this.#options = options
    this.#starts = new StartQueue(this, options)
    this.#seq = options.lastSeq
    this.#rowSeq = options.rowSeq
  }

  append(body: RunEventBody, native?: string): RunEvent {
    keepNative(this.#options.natives, body, native)
    const event = this.enqueue(body)
    this.#schedule()
    return event
  }

  show(piece: RunPiece): void {
    const { feed, facts } = this.#options
    feed.show(facts.runId, piece)
  }

  // A turn that is kept in memory keeps this function alone.
  readonly nativeOf: Journal['nativeOf'] = (round) => this.#options.natives.get(round) ?? null

  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    return this.inTurn(() => this.flushNow())
  }

  begin(...start: Parameters<Journal['begin']>): ReturnType<Journal['begin']> {
    return this.#starts.begin(...start)
  }

  saveResult(callId: string, content: string): Promise<void> {
    const { database, facts } = this.#options
    return saveResult(database, facts.runId, callId, content)
  }

  saveImages(images: readonly SavedImage[]): Promise<void> {
    const { database, facts } = this.#options
    return keepRunImages(database, facts, images)
  }

  get isLost(): boolean {
    return this.#lost !== null
  }

  enqueue(body: RunEventBody): RunEvent {
    const { facts, now } = this.#options
    const event = { ...body, runId: facts.runId, seq: ++this.#seq, at: now() }
    this.#queue.push(event)
    return event
  }

  withdraw(starts: ReadonlySet<RunEvent>): void {
    this.#queue = this.#queue.filter((event) => !starts.has(event))
    this.#seq -= starts.size
    const first = this.#seq - this.#queue.length + 1
    for (const [index, event] of this.#queue.entries()) event.seq = first + index
  }

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

  lose(cause: unknown): JournalLostError {
    this.#lost ??=
      cause instanceof JournalLostError ? cause : new JournalLostError(String(cause), { cause })
    return this.#lost
  }

  async write(
    policyVersion: string | null,
    write = this.#options.writer.write,
  ): Promise<{ written: Written; events: readonly RunEvent[] }> {
    const events = this.#queue
    this.#queue = []
    if (events.length === 0) return { written: 'written', events }
    try {
      const { facts } = this.#options
      const native = this.#nativeAmong(events)
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

  publish(events: readonly RunEvent[]): void {
    noteWritten(this.#options.written, events)
    if (events.some(changesRun)) this.#rowSeq = events.at(-1)?.seq ?? this.#rowSeq
    this.#options.feed.publish(events)
  }

  async flushNow(): Promise<void> {
    const { events } = await this.write(null)
    this.publish(events)
  }

  /** Writes the queue soon. */
  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      // The next flush that is awaited rejects with this error.
      this.flush().catch(() => undefined)
    }, delayMs)
  }

  /** Returns the answer as its provider wrote it, of the message among these events. */
  #nativeAmong(events: readonly RunEvent[]): { round: number; content: string } | null {
    const message = events.findLast((event) => event.type === 'message')
    const content = message && this.#options.natives.get(message.data.round)
    return message && content !== undefined ? { round: message.data.round, content } : null
  }
}

async function saveResult(
  { pool }: Database,
  runId: string,
  callId: string,
  content: string,
): Promise<void> {
  const text = content.replaceAll('\0', '')
  // Not by the client, which would copy a text of megabytes many times.
  await pool.query(
    `INSERT INTO call_results ("runId", "callId", content, bytes) VALUES ($1, $2, $3, $4)
    ON CONFLICT ("runId", "callId") DO UPDATE SET content = EXCLUDED.content, bytes = EXCLUDED.bytes`,
    [runId, callId, text, Buffer.byteLength(content)],
  )
}
