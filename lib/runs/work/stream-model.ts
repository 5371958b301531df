import 'server-only'
import { openConnection } from '@/lib/domains/connections/open-connection'
import { addressHash, addressOf } from '@/lib/domains/rows/address-hash'
import { providerOf } from '@/lib/domains/rows/column-names'
import { openProvider } from '@/lib/engines/providers/open-provider'
import { defaultTimeouts, type Provider } from '@/lib/engines/providers/provider'
import { JournalLostError, type RunDeps } from '@/lib/engines/runtime/deps'
import type { Connection } from '@/lib/generated/prisma/client'
import { isDatabaseError } from '@/lib/kernel/database-errors'
import { NotFoundError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import type { ProviderFailure } from '@/lib/protocol/model/failure'
import { isLessTrusted, type ModelTarget } from '@/lib/protocol/model/model-target'
import type { Engine } from '@/lib/runs/engine/engine'
import { guardConnection } from './guard-connection'
import { askWithKeys, type KeyPool, openKeyPool, sharing } from './key-pool'
import { loadAttachments } from './load-attachments'
import { providerOptions } from './provider-options'
import { type Patience, waitOut } from './wait-out'

/**
 * Streams from the connection of a target, through its circuit breaker. The connection is as it was when the request
 * was begun, or later: when its address, trust zone or state changed since the run started, the stream is a failure and
 * nothing is sent (SPEC R1). Its secrets are kept while this process works on the run. `policyVersion` = the version
 * that allowed the request.
 */
export function openModelStream(
  engine: Engine,
  { runId, patience, policyVersion }: Asking,
): RunDeps['streamModel'] {
  const { client } = engine.database
  const opened = new Map<string, Opened>()
  /** Connections that had several keys: which account gave their earlier answers is unknown. */
  const mixed = new Set<string>()
  return async function* streamModel(target, planned, signal, mayResend) {
    const { connectionId } = target
    const readRow = async () => ({
      value: await client.connection.findUnique({ where: { id: connectionId } }),
      until: Number.POSITIVE_INFINITY,
    })
    const row = await fromDatabase(
      () => engine.connections(connectionId, policyVersion(), readRow, client),
      patience,
    )
    const change = connectionChange(target, row)
    const known = opened.get(connectionId)
    // Keys may have been added or removed since.
    const isKnown = known && 'providers' in known === row?.pooled
    const found =
      row && change === null
        ? isKnown
          ? known
          : await fromDatabase(() => connect(engine, target, row), patience)
        : null
    if (!row || !found) {
      yield { type: 'error', failure: changed(change ?? changedJustNow(target), row) }
      return
    }
    opened.set(connectionId, found)
    if (row.pooled) mixed.add(connectionId)
    const whole = await fromDatabase(() => loadAttachments(client, planned), patience)
    const request = mixed.has(connectionId) && !row.pooled ? sharing(whole, () => false) : whole
    const { openedAt } = found
    const ask = () =>
      'providers' in found
        ? askWithKeys(found, row, { request, signal, mayResend })
        : found.provider.stream(request, signal, mayResend)
    const guarded = { ...target, runId, openedAt, firstEventMs: firstEventMs(row) }
    yield* target.wire === 'demo' ? ask() : guardConnection(engine, guarded, ask)
  }
}

/** Waits for what a request needs of the database. When that does not answer, the run waits, and no provider failed. */
async function fromDatabase<T>(read: () => Promise<T>, patience: Patience): Promise<T> {
  try {
    return await waitOut(read, patience)
  } catch (error) {
    if (isDatabaseError(error))
      throw new JournalLostError(`Cannot read a connection: ${error}`, { cause: error })
    throw error
  }
}

type Asking = { runId: string; patience: Patience; policyVersion: () => string }

/** `openedAt`: when its key was read, ms since 1970. */
type Opened = { provider: Provider; openedAt: number } | KeyPool

/** Returns null when a secret of the row is gone: the connection was changed meanwhile, or its key removed. */
async function connect(
  engine: Engine,
  target: ModelTarget,
  row: Connection,
): Promise<Opened | null> {
  try {
    if (row.pooled) return await openKeyPool(engine, target, row)
    const opened = openedRows.get(row) ?? openRow(engine, target, row)
    openedRows.set(row, opened)
    return await opened
  } catch (error) {
    openedRows.delete(row)
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** The providers of rows that are in memory: runs share them as long as the connection does not change. */
const openedRows = new WeakMap<Connection, Promise<Opened>>()

async function openRow(
  { database }: Engine,
  target: ModelTarget,
  row: Connection,
): Promise<Opened> {
  const openedAt = Date.now()
  const options = providerOptions(await openConnection(database.client, row), row.name)
  return { provider: openProvider(target.wire, options), openedAt }
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

type Stored = Pick<Connection, 'enabled'> &
  Parameters<typeof addressOf>[0] &
  Parameters<typeof providerOf>[0]

/**
 * Returns why a run must not use its connection any more, as a sentence; null = it still leads where it did when the
 * run started (SPEC R1). Its key and limits may have changed. `stored` null = it was deleted.
 */
export function connectionChange(target: ModelTarget, stored: Stored | null): string | null {
  const { connectionName } = target
  if (!stored) {
    return `${connectionName} was deleted after this run started, so nothing was sent to it. Change the model of the configuration and start the run again.`
  }
  if (!stored.enabled) {
    return `${connectionName} was switched off after this run started, so nothing was sent to it. Switch it on, or change the model of the configuration, and start the run again.`
  }
  const address = addressOf(stored)
  const isMoved = target.addressHash !== undefined && target.addressHash !== addressHash(address)
  if (address.wire !== target.wire || isMoved) {
    return `${connectionName} changed its address or API type after this run started, so nothing was sent to it. Start the run again.`
  }
  if (isLessTrusted(providerOf(stored), target)) {
    return `${connectionName} has a lower trust zone than when this run started, so nothing more was sent to it. Start the run again.`
  }
  return null
}
