import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { keepNative, type NativeAnswers } from '@/lib/engines/runtime/ask/native-answers'
import { type Journal, JournalLostError } from '@/lib/engines/runtime/deps'
import { isOutage } from '@/lib/kernel/database-errors'
import { type Database, type Tx, withTransaction } from '@/lib/kernel/db'
import type { RunEvent, RunEventBody } from '@/lib/protocol/run/run-event'
import { keepRunImages } from '@/lib/runs/files/keep-run-images'
import {
  holdPolicy,
  hopefulTries,
  type PolicyCache,
  type PolicyReading,
} from '@/lib/runs/start/policy-cache'
import type { Patience } from '@/lib/runs/work/wait-out'
import type { SubjectQuestion } from '@/lib/toolset/policy/load-subject'
import { type JournalWriter, writeIn } from './journal-writer'
import { changesRun, type RunFacts } from './run-changes'
import type { RunFeed } from './run-feed'
import {
  type Asked,
  type Decided,
  inOrderOfTools,
  needsCount,
  StaleStartError,
  verdictOn,
} from './starts'
import type { Written } from './write-entries'
import { noteWritten, type WrittenEvents } from './written-events'

/** Events that nobody waits for are written with the next start, or after this time. */
const delayMs = 20
/** How often a start is decided again because the policy changed meanwhile, although it was held. */
const mostTries = 10

type Options = {
  database: Database
  instanceId: string
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
  policy: PolicyCache
  /** How long a start waits for a policy that cannot be read. */
  patience: Patience
  /** Returns what the gates must know about the run at this moment. */
  question: () => SubjectQuestion
  /** Called with the model of the chain once a request to it may begin, and the version that allowed it. */
  onRequest: (target: number, policyVersion: string) => void
}

/**
 * Returns the journal of one run in the database. It writes strictly in sequence, so the order of `seq` is the order of
 * commits.
 */
export function openJournal(options: Options): Journal {
  const { database, writer, feed, facts, lastSeq, natives, onRequest } = options
  const { instanceId, policy, question } = options
  const { runId } = facts
  let seq = lastSeq
  let { rowSeq } = options
  /** Events that are not on their way yet. */
  let queue: RunEvent[] = []
  let asking: Asked[] = []
  let tail: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  let lost: JournalLostError | null = null

  const place = (body: RunEventBody): RunEvent => {
    const event = { ...body, runId, seq: ++seq, at: options.now() }
    queue.push(event)
    return event
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
    lost ??=
      cause instanceof JournalLostError ? cause : new JournalLostError(String(cause), { cause })
    return lost
  }

  /** Writes the queue, and puts it back when a start in it was decided by another version of the policy. */
  const writeQueue = async (
    policyVersion: string | null,
    write = writer.write,
  ): Promise<{ written: Written; events: readonly RunEvent[] }> => {
    const events = queue
    queue = []
    if (events.length === 0) return { written: 'written', events }
    try {
      const message = events.findLast((event) => event.type === 'message')
      const content = message && natives.get(message.data.round)
      const native =
        message && content !== undefined ? { round: message.data.round, content } : null
      const written = await write({ facts, events, rowSeq, native, policyVersion })
      if (written === 'lost')
        throw new JournalLostError(
          'Another process works on this run, or the database went back to an earlier state.',
        )
      if (written === 'policy-changed') queue = [...events, ...queue]
      return { written, events }
    } catch (error) {
      throw lose(error)
    }
  }

  /** Tells watchers of events that are stored. */
  const publish = (events: readonly RunEvent[]): void => {
    noteWritten(options.written, events)
    if (events.some(changesRun)) rowSeq = events.at(-1)?.seq ?? rowSeq
    feed.publish(events)
  }

  const flushNow = async (): Promise<void> => {
    const { events } = await writeQueue(null)
    publish(events)
  }

  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    return inTurn(flushNow)
  }

  const schedule = (): void => {
    timer ??= setTimeout(() => {
      timer = null
      // The next flush that is awaited rejects with this error.
      flush().catch(() => undefined)
    }, delayMs)
  }

  /** Takes back starts that were not written. The events after them move up, so that no number is missing. */
  const withdraw = (starts: ReadonlySet<RunEvent>): void => {
    queue = queue.filter((event) => !starts.has(event))
    seq -= starts.size
    for (const [place, event] of queue.entries()) event.seq = seq - queue.length + 1 + place
  }

  /** Decides on everything that wants to begin now, and writes what may in one statement. */
  const beginAll = async (): Promise<void> => {
    let open: readonly Asked[] = asking
    asking = []
    try {
      for (let tries = 1; open.length > 0; tries++) {
        if (tries > mostTries) throw new Error('The policy changes faster than it can be read.')
        open = await beginReadable(open, tries)
      }
    } catch (error) {
      // A call that cannot be decided is refused. A model request cannot be, so the run is opened again later.
      const isCall = open.every(({ start }) => start.type === 'call-start')
      if (!isCall && !lost) await flushNow().catch(() => undefined)
      const reason = isCall ? error : lose(error)
      for (const { reject } of open) reject(reason)
    }
  }

  /**
   * Does `beginOnce` until the policy can be read: as long as the database is away, and some seconds when it makes no
   * sense. Nothing begins meanwhile.
   */
  const beginReadable = async (open: readonly Asked[], tries: number) => {
    const { retryMs, unreadableMs, goesOn } = options.patience
    const startedAt = performance.now()
    for (;;) {
      try {
        return await beginOnce(open, tries)
      } catch (error) {
        const isOver = performance.now() - startedAt >= unreadableMs && !isOutage(error)
        if (lost || isOver || !goesOn()) throw error
        await wait(Math.min(retryMs, unreadableMs / 10))
      }
    }
  }

  /** Returns what must be decided again: first by memory, then by the database, then while the policy is held. */
  const beginOnce = async (open: readonly Asked[], tries: number): Promise<readonly Asked[]> => {
    if (tries > hopefulTries) {
      return beginIn(open, (decide) =>
        holdPolicy(database, async (tx) => decide(await policy.read(question(), tx), tx)),
      )
    }
    const reading = await policy.read(question(), tries > 1 ? database.client : undefined)
    if (!needsCount(open, reading.subject)) return settle(await decideAndWrite(open, reading, null))
    return beginIn(open, (decide) => withTransaction((tx) => decide(reading, tx), database.client))
  }

  /** Decides and writes in a transaction. */
  const beginIn = async (
    open: readonly Asked[],
    inTransaction: (decide: (reading: PolicyReading, tx: Tx) => Promise<void>) => Promise<void>,
  ): Promise<readonly Asked[]> => {
    let decided: Decided | undefined
    await inTransaction(async (reading, tx) => {
      decided = await decideAndWrite(open, reading, tx)
      if (decided.isStale) throw new StaleStartError()
    }).catch((error) => {
      if (error instanceof StaleStartError) return
      // What was written in the transaction is not stored.
      throw decided && decided.events.length > 0 ? lose(error) : error
    })
    return decided ? settle(decided) : open
  }

  const decideAndWrite = async (
    open: readonly Asked[],
    { subject, version, fresh }: PolicyReading,
    tx: Tx | null,
  ): Promise<Decided> => {
    const decided: Decided = {
      ...{ version, begun: new Map(), denied: [], again: [], events: [], isStale: false },
    }
    for (const asked of inOrderOfTools(open)) {
      const { begun } = decided
      const verdict = await verdictOn(asked, subject, { tx, runId, begun }).catch((error) => {
        withdraw(new Set(begun.keys()))
        throw error
      })
      if (verdict.allowed) decided.begun.set(place(asked.start), asked)
      else if (fresh) decided.denied.push({ asked, verdict })
      else decided.again.push(asked)
    }
    if (decided.begun.size === 0) return decided
    const { written, events } = await writeQueue(version, tx ? writeIn(tx, instanceId) : undefined)
    if (written === 'written') return { ...decided, events }
    withdraw(new Set(decided.begun.keys()))
    const again = [...decided.begun.values(), ...decided.again]
    return { ...decided, begun: new Map(), again, isStale: true }
  }

  /** Tells those who asked, once what was written is stored. Returns what must be decided again. */
  const settle = ({ version, begun, denied, again, events }: Decided): readonly Asked[] => {
    publish(events)
    for (const { asked, verdict } of denied) asked.resolve({ verdict, event: null })
    for (const [event, { start, resolve }] of begun) {
      if (start.type !== 'call-start') onRequest(start.data.target, version)
      resolve({ verdict: { allowed: true }, event })
    }
    return again
  }

  return {
    append: (body, native) => {
      keepNative(natives, body, native)
      const event = place(body)
      schedule()
      return event
    },
    show: (piece) => feed.show(runId, piece),
    nativeOf: (round) => natives.get(round) ?? null,
    flush,
    begin: (start, decide) =>
      new Promise((resolve, reject) => {
        asking.push({ start, decide, resolve, reject })
        if (asking.length > 1) return
        inTurn(beginAll).catch((error) => {
          for (const asked of asking.splice(0)) asked.reject(error)
        })
      }),
    saveResult: (callId, content) => saveResult(database, runId, callId, content),
    saveImages: (images) => keepRunImages(database, facts, images),
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
