import 'server-only'
import {
  type AskedConnection,
  clearFailures,
  isActionable,
  recordActionableFailure,
} from '@/lib/domains/connections/connection-failures'
import {
  claimProbe,
  type ProbeClaim,
  recordConnectionAnswer,
  recordConnectionFailure,
  releaseProbe,
} from '@/lib/domains/connections/health'
import type { Database } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/model/failure'
import type { ModelEvent } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { channels, type Notifications } from '@/lib/runs/journal/notifications'

/** `firstEventMs`: how long its provider may take until its first event. */
type Target = Pick<ModelTarget, 'connectionName'> &
  Omit<SentRequest, 'askedAt'> & { firstEventMs: number }
type SentRequest = AskedConnection
type OpenCircuit = Extract<ProbeClaim, { type: 'open' }>

/** Meaning of a failure for its connection: broken, answering, or unknown. */
const meanings: Record<FailureCategory, 'broken' | 'answers' | 'nothing'> = {
  connection: 'broken',
  timeout: 'broken',
  server: 'broken',
  overloaded: 'broken',
  auth: 'answers',
  forbidden: 'answers',
  'no-credit': 'answers',
  'not-found': 'answers',
  'rate-limited': 'answers',
  'bad-request': 'answers',
  'context-length': 'answers',
  'invalid-response': 'nothing',
  cancelled: 'nothing',
  egress: 'nothing',
  'circuit-open': 'nothing',
  'connection-changed': 'nothing',
  files: 'nothing',
}

/**
 * The stored health of a connection. `known`: it answered or failed since its address last changed; `failing`: its last
 * request failed in a way that concerns the connection; `open`: its circuit was opened and has not been closed since.
 * `scopes`: what has failures that somebody can act on: "" = the connection, else the id of a model.
 */
type Circuit = {
  connectionId: string
  known: boolean
  failing: boolean
  open: boolean
  scopes: string[]
}

/** Time that a reading is used while notifications may be lost. */
const maxAgeMs = 1_000

type Reading = { circuits: Promise<Map<string, Circuit>>; at: number }

/** The circuit breakers of all connections, for the requests of one engine (SPEC R15). All processes share their state. */
export class CircuitBreaker {
  readonly #database: Database
  readonly #notifications: Notifications
  #reading: Reading | null = null

  constructor(database: Database, notifications: Notifications) {
    this.#database = database
    this.#notifications = notifications
    notifications.subscribe(channels.health, () => this.forget())
  }

  /** Empties the cache. Call it after this process changed a circuit: its next request must not wait for the notification. */
  forget(): void {
    this.#reading = null
  }

  /**
   * Asks a provider through the breaker of its connection. While it is open, yields a failure at once and sends nothing.
   * When the breaker cannot be read or written, every request passes.
   */
  async *guard(
    target: Target,
    ask: () => AsyncIterable<ModelEvent>,
  ): AsyncGenerator<ModelEvent, void> {
    const state = (await ignoringErrors(() => this.#stateOf(target))) ?? { type: 'closed' }
    if (state.type === 'open') {
      yield { type: 'error', failure: refusal(target, state) }
      return
    }
    let answered = false
    const sent = { ...target, askedAt: Date.now() }
    for await (const event of ask()) {
      if (event.type === 'error')
        await ignoringErrors(() => this.#noteFailure(sent, event.failure, state))
      else if (event.type === 'finish' || (state.type === 'probe' && !answered)) {
        answered = true
        await ignoringErrors(() => this.#noteAnswerIfNew(sent))
      }
      yield event
    }
  }

  /**
   * Returns the circuit of a connection; null = it neither answered nor failed yet. All circuits are read at once, and
   * again after a change by any process, so that requests to healthy connections cost no statement.
   */
  async #circuitOf(connectionId: string): Promise<Circuit | null> {
    const isOld = (at: number) =>
      !this.#notifications.isListening() && performance.now() - at > maxAgeMs
    if (this.#reading && isOld(this.#reading.at)) this.#reading = null
    this.#reading ??= { circuits: readCircuits(this.#database), at: performance.now() }
    try {
      return (await this.#reading.circuits).get(connectionId) ?? null
    } catch (error) {
      this.#reading = null
      throw error
    }
  }

  async #stateOf({ connectionId, firstEventMs }: Target): Promise<ProbeClaim> {
    const circuit = await this.#circuitOf(connectionId)
    if (!circuit?.open) return { type: 'closed' }
    return claimProbe(this.#database.pool, connectionId, firstEventMs)
  }

  async #noteFailure(
    sent: SentRequest,
    failure: ProviderFailure,
    state: ProbeClaim,
  ): Promise<void> {
    const { pool } = this.#database
    const { connectionId } = sent
    // The connection got no request, or only one key failed: its state is unchanged.
    if (failure.cause === 'keys-busy' || failure.cause === 'others-busy') {
      if (state.type === 'probe') await releaseProbe(pool, connectionId)
      return this.forget()
    }
    const meaning = meanings[failure.category]
    if (isActionable(failure.category)) {
      await recordActionableFailure(pool, sent, failure)
      this.forget()
    }
    if (meaning === 'answers') return this.#noteAnswerIfFailing(sent)
    if (meaning === 'broken')
      await recordConnectionFailure(pool, connectionId, failure, sent.askedAt)
    else if (state.type === 'probe') await releaseProbe(pool, connectionId)
    this.forget()
  }

  /**
   * Notes an answer if the connection was failing. A refusal ends a series of failures; otherwise it does not prove that
   * the connection works.
   */
  async #noteAnswerIfFailing(sent: SentRequest): Promise<void> {
    const circuit = await this.#circuitOf(sent.connectionId)
    if (circuit?.failing) await this.#storeAnswer(sent)
  }

  async #noteAnswerIfNew(sent: SentRequest): Promise<void> {
    const circuit = await this.#circuitOf(sent.connectionId)
    if (!circuit?.known || circuit.failing) await this.#storeAnswer(sent)
    if (!circuit?.scopes.some((scope) => scope === '' || scope === sent.modelRecordId)) return
    await clearFailures(this.#database.pool, sent)
    this.forget()
  }

  async #storeAnswer({ connectionId, askedAt }: SentRequest): Promise<void> {
    await recordConnectionAnswer(this.#database.pool, connectionId, askedAt)
    this.forget()
  }
}

function refusal({ connectionName }: Target, open: OpenCircuit): ProviderFailure {
  const { failures, leftMs, advice } = open
  const pause =
    leftMs > 0
      ? `it is paused for another ${Math.ceil(leftMs / 1000)} s`
      : 'another request is testing it now'
  return {
    category: 'circuit-open',
    status: null,
    advice: `${connectionName} failed ${failures} times in a row, so ${pause}. Wait, or add a fallback model to the configuration. The last failure: ${advice}`,
    incidentId: newId(),
    retryAfterMs: leftMs,
  }
}

/** Returns null where `work` fails, and logs why: a fault of the circuit breaker itself must not stop a request. */
async function ignoringErrors<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    log.warn({ source: 'circuit', error: String(error) }, 'Cannot read the health of a connection')
    return null
  }
}

const statement = `
SELECT coalesce(h."connectionId", f."connectionId") AS "connectionId", h."connectionId" IS NOT NULL AS known,
  coalesce(h.failures > 0, false) AS failing, h."openUntil" IS NOT NULL AS open, coalesce(f.scopes, '{}') AS scopes
FROM connection_health h
  FULL JOIN (SELECT "connectionId", array_agg(DISTINCT scope) AS scopes FROM connection_failures GROUP BY 1) f
    ON f."connectionId" = h."connectionId"`

async function readCircuits({ pool }: Database): Promise<Map<string, Circuit>> {
  const { rows } = await pool.query<Circuit>(statement)
  return new Map(rows.map((circuit) => [circuit.connectionId, circuit]))
}
