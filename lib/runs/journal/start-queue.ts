import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { Journal, JournalLostError, StartType } from '@/lib/engines/runtime/deps'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { isOutage } from '@/lib/kernel/database-errors'
import { type Database, type Tx, withTransaction } from '@/lib/kernel/db'
import type { RunEvent, RunEventBody, RunEventOf } from '@/lib/protocol/run/run-event'
import type { Verdict } from '@/lib/protocol/tool'
import {
  holdPolicy,
  optimisticAttempts,
  type PolicyCache,
  type PolicyReading,
} from '@/lib/runs/start/policy-cache'
import type { RetryPolicy } from '@/lib/runs/work/wait-out'
import type { SubjectQuestion } from '@/lib/toolset/policy/load-subject'
import { takeStart } from '@/lib/toolset/policy/tool-rates'
import { type JournalWriter, writeIn } from './journal-writer'
import type { RunFacts } from './run-changes'
import type { Written } from './write-entries'

/** Maximum attempts to decide starts, those with a held policy included; more means a fault. */
const mostTries = 10

export type StartOptions = {
  database: Database
  instanceId: string
  facts: RunFacts
  policy: PolicyCache
  /** Time limits of a start whose policy cannot be read. */
  patience: RetryPolicy
  /** Returns what the gates must know about the run at this moment. */
  question: () => SubjectQuestion
  /** Called with the model of the chain once a request to it may begin, and the version that allowed it. */
  onRequest: (target: number, policyVersion: string) => void
}

/** A call or a model request that wants to begin. */
type RequestedStart = {
  start: RunEventOf<StartType>
  decide: Parameters<Journal['begin']>[1]
  resolve: (begun: Awaited<ReturnType<Journal['begin']>>) => void
  reject: (error: unknown) => void
}

/**
 * Results of starts: `begun` are among the `events` that were written, `toRetry` must be decided again. `isStale`: the policy
 * changed, so nothing was written.
 */
type Decided = {
  version: string
  begun: Map<RunEvent, RequestedStart>
  denied: { requested: RequestedStart; verdict: Verdict }[]
  toRetry: RequestedStart[]
  events: readonly RunEvent[]
  isStale: boolean
}

/** The events of a run that are not written yet, as what begins needs them. */
export type EventQueue = {
  /** After a failure of the journal, nothing is written any more. */
  readonly isLost: boolean
  /** Gives an event its number and time. */
  enqueue: (body: RunEventBody) => RunEvent
  /** Takes back starts that were not written. The events after them move up, so that no number is missing. */
  withdraw: (starts: ReadonlySet<RunEvent>) => void
  /** Runs `work` after all earlier work. After a failure of the journal, rejects with it and runs nothing more. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** Notes the failure after which the journal is lost, and returns the first one. */
  lose: (cause: unknown) => JournalLostError
  /** Writes the queue, and puts it back when a start in it was decided by another version of the policy. */
  write: (
    policyVersion: string | null,
    write?: JournalWriter['write'],
  ) => Promise<{ written: Written; events: readonly RunEvent[] }>
  /** Tells watchers of events that are stored. */
  publish: (events: readonly RunEvent[]) => void
  /** Writes and publishes the queue at once, in the turn of the caller. */
  flushNow: () => Promise<void>
}

/** Takes back what a transaction counted, whose starts were not written. */
class StaleStartError extends Error {}

/** Calls and requests of one run that want to begin. Each is decided in the transaction that records it. */
export class StartQueue {
  readonly #queue: EventQueue
  readonly #options: StartOptions
  #waiting: RequestedStart[] = []

  constructor(queue: EventQueue, options: StartOptions) {
    this.#queue = queue
    this.#options = options
  }

  begin(
    start: RequestedStart['start'],
    decide: RequestedStart['decide'],
  ): ReturnType<Journal['begin']> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ start, decide, resolve, reject })
      if (this.#waiting.length > 1) return
      this.#queue
        .inTurn(() => this.#beginAll())
        .catch((error) => {
          for (const requested of this.#waiting.splice(0)) requested.reject(error)
        })
    })
  }

  /** Decides on everything that wants to begin now, and writes what may in one statement. */
  async #beginAll(): Promise<void> {
    let open: readonly RequestedStart[] = this.#waiting
    this.#waiting = []
    try {
      for (let tries = 1; open.length > 0; tries++) {
        if (tries > mostTries) throw new Error('The policy changes faster than it can be read.')
        open = await this.#beginReadable(open, tries)
      }
    } catch (error) {
      const queue = this.#queue
      // A call that cannot be decided is refused. A model request cannot be, so the run is opened again later.
      const isCall = open.every(({ start }) => start.type === 'call-start')
      if (!isCall && !queue.isLost) await queue.flushNow().catch(() => undefined)
      const reason = isCall ? error : queue.lose(error)
      for (const { reject } of open) reject(reason)
    }
  }

  /**
   * Does `#beginOnce` until the policy can be read: as long as the database is away, and some seconds when it makes no
   * sense. Nothing begins meanwhile.
   */
  async #beginReadable(open: readonly RequestedStart[], tries: number) {
    const { retryMs, unreadableMs, goesOn } = this.#options.patience
    const startedAt = performance.now()
    for (;;) {
      try {
        return await this.#beginOnce(open, tries)
      } catch (error) {
        const isOver = performance.now() - startedAt >= unreadableMs && !isOutage(error)
        if (this.#queue.isLost || isOver || !goesOn()) throw error
        await wait(Math.min(retryMs, unreadableMs / 10))
      }
    }
  }

  /** Returns what must be decided again: first by memory, then by the database, then while the policy is held. */
  async #beginOnce(
    open: readonly RequestedStart[],
    tries: number,
  ): Promise<readonly RequestedStart[]> {
    const { database, policy, question } = this.#options
    if (tries > optimisticAttempts) {
      return this.#beginIn(open, (decide) =>
        holdPolicy(database, async (tx) => decide(await policy.read(question(), tx), tx)),
      )
    }
    const reading = await policy.read(question(), tries > 1 ? database.client : undefined)
    if (!needsCount(open, reading.subject))
      return this.#settle(await this.#decideAndWrite(open, reading, null))
    return this.#beginIn(open, (decide) =>
      withTransaction((tx) => decide(reading, tx), database.client),
    )
  }

  /** Decides and writes in a transaction. */
  async #beginIn(
    open: readonly RequestedStart[],
    inTransaction: (decide: (reading: PolicyReading, tx: Tx) => Promise<void>) => Promise<void>,
  ): Promise<readonly RequestedStart[]> {
    let decided: Decided | undefined
    await inTransaction(async (reading, tx) => {
      decided = await this.#decideAndWrite(open, reading, tx)
      if (decided.isStale) throw new StaleStartError()
    }).catch((error) => {
      if (error instanceof StaleStartError) return
      // The transaction was rolled back, so its events are not stored.
      throw decided && decided.events.length > 0 ? this.#queue.lose(error) : error
    })
    return decided ? this.#settle(decided) : open
  }

  async #decideAndWrite(
    open: readonly RequestedStart[],
    reading: PolicyReading,
    tx: Tx | null,
  ): Promise<Decided> {
    const queue = this.#queue
    const decided = await this.#decide(open, reading, tx)
    if (decided.begun.size === 0) return decided
    const write = tx ? writeIn(tx, this.#options.instanceId) : undefined
    const { written, events } = await queue.write(reading.version, write)
    if (written === 'written') return { ...decided, events }
    queue.withdraw(new Set(decided.begun.keys()))
    const toRetry = [...decided.begun.values(), ...decided.toRetry]
    return { ...decided, begun: new Map(), toRetry, isStale: true }
  }

  /** Places the starts that the gates allow after everything appended before. */
  async #decide(
    open: readonly RequestedStart[],
    { subject, version, fresh }: PolicyReading,
    tx: Tx | null,
  ): Promise<Decided> {
    const begun: Decided['begun'] = new Map()
    const denied: Decided['denied'] = []
    const toRetry: Decided['toRetry'] = []
    const { runId } = this.#options.facts
    for (const requested of inOrderOfTools(open)) {
      const verdict = await verdictOn(requested, subject, { tx, runId, begun }).catch((error) => {
        this.#queue.withdraw(new Set(begun.keys()))
        throw error
      })
      if (verdict.allowed) begun.set(this.#queue.enqueue(requested.start), requested)
      else if (fresh) denied.push({ requested, verdict })
      else toRetry.push(requested)
    }
    return { version, begun, denied, toRetry, events: [], isStale: false }
  }

  /** Tells the callers, once what was written is stored. Returns what must be decided again. */
  #settle({ version, begun, denied, toRetry, events }: Decided): readonly RequestedStart[] {
    this.#queue.publish(events)
    for (const { requested, verdict } of denied) requested.resolve({ verdict, event: null })
    for (const [event, { start, resolve }] of begun) {
      if (start.type !== 'call-start') this.#options.onRequest(start.data.target, version)
      resolve({ verdict: { allowed: true }, event })
    }
    return toRetry
  }
}

/** Returns whether one of these is a call of a tool with a limit, which is counted in the transaction that writes it. */
function needsCount(open: readonly RequestedStart[], subject: Subject): boolean {
  return open.some(({ start }) => subject.rates.has(toolOf(start)))
}

/** Returns starts so that every process counts those of several tools in one order, and two never wait for each other. */
function inOrderOfTools(open: readonly RequestedStart[]): RequestedStart[] {
  return open.toSorted((a, b) => {
    const [one, other] = [toolOf(a.start), toolOf(b.start)]
    return one === other ? 0 : one < other ? -1 : 1
  })
}

/**
 * Returns what the gates say about a start, and then the limit of its tool. `tx`: the transaction that writes it; null = none
 * of these tools has a limit. `begun`: those that go with it.
 */
async function verdictOn(
  { start, decide }: RequestedStart,
  subject: Subject,
  { tx, runId, begun }: { tx: Tx | null; runId: string } & Pick<Decided, 'begun'>,
): Promise<Verdict> {
  const verdict = decide(subject)
  const toolName = toolOf(start)
  const rate = subject.rates.get(toolName)
  if (!verdict.allowed || !rate) return verdict
  if (!tx) throw new Error('A call of a tool with a limit is counted in a transaction.')
  const before = [...begun.values()].filter((other) => toolOf(other.start) === toolName)
  return (await takeStart(tx, { toolName, runId, begun: before.length }, rate)) ?? verdict
}

/** Returns the tool of a call; "" = a model request begins, which no limit of a tool counts. */
function toolOf(start: RequestedStart['start']): string {
  return start.type === 'call-start' ? start.data.name : ''
}
