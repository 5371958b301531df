import 'server-only'
import { openConnection } from '@/lib/domains/connections/open-connection'
import { openProvider } from '@/lib/engines/providers/open-provider'
import { defaultTimeouts } from '@/lib/engines/providers/provider'
import { JournalLostError, type RunDeps } from '@/lib/engines/runtime/deps'
import type { Connection } from '@/lib/generated/prisma/client'
import { isDatabaseError } from '@/lib/kernel/database-errors'
import type { Database } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import type { ProviderFailure } from '@/lib/protocol/model/failure'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { Notifications } from '@/lib/runs/journal/notifications'
import { openVersioned, type Versioned } from '@/lib/runs/start/versioned'
import { CircuitBreaker } from './circuit-breaker'
import { connectionChange } from './connection-change'
import { type KeyAccess, openKeyPool, sharing } from './key-pool'
import { type KeyReports, openKeyReports } from './key-reports'
import { loadAttachments } from './load-attachments'
import { providerOptions } from './provider-options'
import { type RetryPolicy, waitOut } from './wait-out'

/** `policyVersion` = the version that allowed the request. */
type RunAccess = { runId: string; patience: RetryPolicy; policyVersion: () => string }

/** The connections that one run has opened. */
type OpenedByRun = {
  access: Map<string, KeyAccess>
  /** Connections that had several keys: which account gave their earlier answers is unknown. */
  mixed: Set<string>
}

/** All that stands between the runs of one engine and its connections: their rows, circuit breakers and keys. */
export class ConnectionGate {
  readonly #database: Database
  /** The stored connections by their ids; null = deleted. */
  readonly #rows: Versioned<Connection | null> = openVersioned()
  /** The providers of rows that are in memory: runs share them as long as the connection does not change. */
  readonly #shared = new WeakMap<Connection, Promise<KeyAccess>>()
  readonly #breaker: CircuitBreaker
  readonly #keyReports: KeyReports

  constructor(database: Database, notifications: Notifications) {
    this.#database = database
    this.#breaker = new CircuitBreaker(database, notifications)
    this.#keyReports = openKeyReports(database.pool)
  }

  /** Call it after this process changed the health of a connection: its next request must not wait for the notification. */
  forgetHealth(): void {
    this.#breaker.forget()
  }

  /**
   * Streams from the connection of a target, through its circuit breaker. The connection is as it was when the request
   * was begun, or later: when its address, trust zone or state changed since the run started, the stream is a failure and
   * nothing is sent (SPEC R1). Its secrets are kept while this process works on the run.
   */
  openStream(run: RunAccess): RunDeps['streamModel'] {
    const { runId, patience } = run
    const opened: OpenedByRun = { access: new Map(), mixed: new Set() }
    const admit = (target: ModelTarget) => this.#admit(target, run, opened)
    const { client } = this.#database
    const breaker = this.#breaker
    return async function* streamModel(target, planned, signal, mayResend) {
      const admitted = await admit(target)
      if ('failure' in admitted) {
        yield { type: 'error', failure: admitted.failure }
        return
      }
      const { row, access } = admitted
      const whole = await fromDatabase(() => loadAttachments(client, planned), patience)
      const isForeign = opened.mixed.has(row.id) && !row.pooled
      const request = isForeign ? sharing(whole, () => false) : whole
      const ask = () => access.stream(row, request, signal, mayResend)
      const { openedAt } = access
      const guarded = { ...target, runId, openedAt, firstEventMs: firstEventMs(row) }
      yield* target.wire === 'demo' ? ask() : breaker.guard(guarded, ask)
    }
  }

  /** Returns the connection of a target with its keys, or why nothing may be sent to it. */
  async #admit(
    target: ModelTarget,
    { patience, policyVersion }: RunAccess,
    opened: OpenedByRun,
  ): Promise<{ row: Connection; access: KeyAccess } | { failure: ProviderFailure }> {
    const { connectionId } = target
    const row = await fromDatabase(() => this.#readRow(connectionId, policyVersion()), patience)
    const change = connectionChange(target, row)
    if (!row || change !== null) return { failure: changed(change ?? changedJustNow(target), row) }
    const known = opened.access.get(connectionId)
    // Keys may have been added or removed since.
    const isKnown = known?.pooled === row.pooled
    const access = isKnown ? known : await fromDatabase(() => this.#open(target, row), patience)
    if (!access) return { failure: changed(changedJustNow(target), row) }
    opened.access.set(connectionId, access)
    if (row.pooled) opened.mixed.add(connectionId)
    return { row, access }
  }

  #readRow(id: string, policyVersion: string): Promise<Connection | null> {
    const { client } = this.#database
    const read = async () => ({
      value: await client.connection.findUnique({ where: { id } }),
      until: Number.POSITIVE_INFINITY,
    })
    return this.#rows(id, policyVersion, read, client)
  }

  /** Returns null when a secret of the row is gone: the connection was changed meanwhile, or its key removed. */
  async #open(target: ModelTarget, row: Connection): Promise<KeyAccess | null> {
    try {
      if (row.pooled) return await openKeyPool(this.#database, this.#keyReports, target, row)
      const opened = this.#shared.get(row) ?? openSingleKey(this.#database, target, row)
      this.#shared.set(row, opened)
      return await opened
    } catch (error) {
      this.#shared.delete(row)
      if (error instanceof NotFoundError) return null
      throw error
    }
  }
}

/** Waits for what a request needs of the database. When that does not answer, the run waits, and no provider failed. */
async function fromDatabase<T>(read: () => Promise<T>, patience: RetryPolicy): Promise<T> {
  try {
    return await waitOut(read, patience)
  } catch (error) {
    if (isDatabaseError(error))
      throw new JournalLostError(`Cannot read a connection: ${error}`, { cause: error })
    throw error
  }
}

/** Opens a connection that has one key. */
async function openSingleKey(
  { client }: Database,
  { wire }: ModelTarget,
  row: Connection,
): Promise<KeyAccess> {
  const openedAt = Date.now()
  const options = providerOptions(await openConnection(client, row), row.name)
  const provider = openProvider(wire, options)
  return {
    pooled: false,
    openedAt,
    stream: (_row, request, signal, mayResend) => provider.stream(request, signal, mayResend),
  }
}

function changedJustNow({ connectionName }: ModelTarget): string {
  return `The key or a header of ${connectionName} changed just before the request, so nothing was sent to it. Start the run again.`
}

function changed(advice: string, row: Connection | null): ProviderFailure {
  const failure = { category: 'connection-changed', status: null, advice } as const
  return {
    ...failure,
    incidentId: newId(),
    retryAfterMs: null,
    ...(!row?.enabled && { cause: 'connection-off' }),
  }
}

/** Returns how long its provider may take until its first event, ms. */
function firstEventMs({ connectTimeoutMs, firstByteTimeoutMs }: Connection): number {
  const { connectMs, firstByteMs } = defaultTimeouts
  return (connectTimeoutMs ?? connectMs) + (firstByteTimeoutMs ?? firstByteMs)
}
