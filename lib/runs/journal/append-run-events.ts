import 'server-only'
import { type Journal, JournalLostError, type StartType } from '@/lib/engines/runtime/deps'
import { keepNative, type NativeAnswers } from '@/lib/engines/runtime/native-answers'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { type Database, type Tx, withTransaction } from '@/lib/kernel/db'
import { lockPolicyShared } from '@/lib/kernel/policy-lock'
import type { RunEvent, RunEventBody, RunEventOf } from '@/lib/protocol/run-event'
import { keepRunImages } from '@/lib/runs/files/keep-run-images'
import { notifyWatchers, type RunFeed } from './fresh-events'
import { insertEvents, type Query, queryIn, queryPool } from './insert-events'
import { isDelta, type RunFacts } from './run-changes'

/**
 * Deltas are collected for this long and written together; events that must be durable are written at once (SPEC J2).
 */
const deltaDelayMs = 40

type Options = {
  database: Database
  /** Receives the events that were written. */
  feed: RunFeed
  facts: RunFacts
  instanceId: string
  lastSeq: number
  /** Native answers of the rounds so far; the journal updates them. */
  natives: NativeAnswers
  readSubject: (tx: Tx) => Promise<Subject>
  /** Called with the model of the chain once a request to it may begin. */
  onRequest: (target: number) => void
}

/**
 * Returns the journal of one run in the database. It writes strictly in sequence, so the order of `seq` is the order of
 * commits.
 */
export function openJournal(options: Options): Journal {
  const { database, feed, facts, instanceId, lastSeq, natives, readSubject, onRequest } = options
  const { runId } = facts
  let seq = lastSeq
  let queue: RunEvent[] = []
  let tail: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  let lastDeltaAt = 0
  let lost: JournalLostError | null = null

  const place = (body: RunEventBody): RunEvent => ({ ...body, runId, seq: ++seq, at: Date.now() })

  const takeQueue = (): RunEvent[] => {
    const taken = queue
    queue = []
    return taken
  }

  /** Runs `work` after all earlier work. After a failure of the journal, rejects with it and runs nothing more. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = tail.then(() => {
      if (lost) throw lost
      return work()
    })
    tail = mine.then(
      () => undefined,
      () => undefined,
    )
    return mine
  }

  const lose = (cause: unknown): JournalLostError => {
    lost ??= cause instanceof JournalLostError ? cause : new JournalLostError(String(cause))
    return lost
  }

  const insert = async (query: Query, events: RunEvent[]): Promise<void> => {
    const isOurs = await insertEvents(query, facts, instanceId, events, natives)
    if (!isOurs) throw new JournalLostError('Another process works on this run.')
  }

  const writeQueue = async (): Promise<void> => {
    const events = takeQueue()
    if (events.length === 0) return
    try {
      await insert(queryPool(database), events)
    } catch (error) {
      throw lose(error)
    }
    if (events.some((event) => isDelta(event.type))) lastDeltaAt = Date.now()
    notifyWatchers(feed, events)
  }

  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    return inTurn(writeQueue)
  }

  const schedule = (delayMs: number): void => {
    timer ??= setTimeout(() => {
      timer = null
      // The next flush that is awaited rejects with this error.
      flush().catch(() => undefined)
    }, delayMs)
  }

  return {
    append: (body, native) => {
      const event = place(body)
      keepNative(natives, body, native)
      queue.push(event)
      schedule(isDelta(body.type) ? Math.max(0, lastDeltaAt + deltaDelayMs - event.at) : 0)
      return event
    },
    nativeOf: (round) => natives.get(round) ?? null,
    flush,
    begin: (start, decide) => inTurn(() => begin(start, decide)),
    saveResult: (callId, content) => saveResult(database, runId, callId, content),
    saveImages: (images) => keepRunImages(database, facts, images),
  }

  /**
   * Begins a call. Events that were appended while the policy was read precede the start, so the same transaction
   * writes them.
   */
  async function begin(start: RunEventOf<StartType>, decide: Parameters<Journal['begin']>[1]) {
    let events: RunEvent[] = []
    try {
      const begun = await withTransaction(async (tx) => {
        await lockPolicyShared(tx)
        const verdict = decide(await readSubject(tx))
        if (!verdict.allowed) return { verdict, event: null }
        const event = place(start)
        events = [...takeQueue(), event]
        await insert(queryIn(tx), events)
        return { verdict, event }
      }, database.client)
      notifyWatchers(feed, events)
      if (begun.event && start.type === 'round-start') onRequest(start.data.target)
      return begun
    } catch (error) {
      // As long as the queue was not taken, the journal is complete: a call can then be refused. A model request
      // cannot.
      if (events.length > 0 || start.type !== 'call-start') throw lose(error)
      throw error
    }
  }
}

async function saveResult(
  { client }: Database,
  runId: string,
  callId: string,
  content: string,
): Promise<void> {
  const data = { content: content.replaceAll('\0', ''), bytes: Buffer.byteLength(content) }
  await client.callResult.upsert({
    where: { runId_callId: { runId, callId } },
    create: { runId, callId, ...data },
    update: data,
  })
}
