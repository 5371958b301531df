import 'server-only'
import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as after } from 'node:timers/promises'
import { z } from 'zod'
import { readVaultState, requireKeys } from '@/lib/domains/vault/rotation'
import type { SystemStatus } from '@/lib/engines/tools/installation-resources'
import { isOutage } from '@/lib/kernel/database-errors'
import type { Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'

type Stored = Omit<SystemStatus, 'disk' | 'eventLoopDelay'>

/** Returns how this installation does now. The event loop is measured for a second. */
export async function systemStatus(tx: Tx, signal: AbortSignal): Promise<SystemStatus> {
  const [stored, disk, eventLoopDelay] = await Promise.all([
    readStored(tx).catch(unreachable),
    diskOfData(),
    measureDelay(signal),
  ])
  return { ...stored, disk, eventLoopDelay }
}

function unreachable(error: unknown): Stored {
  if (!isOutage(error)) throw error
  return {
    servers: [],
    database: { reachable: false, sizeBytes: null, newestMigration: null },
    runs: { active: 0, waiting: 0 },
    connections: { failing: [], circuitsOpen: [] },
    vault: 'unknown, because the database does not answer',
  }
}

async function readStored(tx: Tx): Promise<Stored> {
  const [servers, database, runs, connections, vault] = await Promise.all([
    readServers(tx),
    readDatabase(tx),
    countRuns(tx),
    readConnections(tx),
    vaultState(tx),
  ])
  return { servers, database, runs, connections, vault }
}

const Servers = z.array(z.object({ host: z.string(), pid: z.int(), startedAt: z.date() }))

/** Returns the servers that were heard in the last 6 s. */
async function readServers(tx: Tx): Promise<Stored['servers']> {
  const rows = await tx.$queryRaw`
    SELECT host, pid, "startedAt" FROM instances
    WHERE kind = 'server' AND "heartbeatAt" > now() AT TIME ZONE 'UTC' - interval '6 s'
    ORDER BY "startedAt"`
  return Servers.parse(rows).map(({ host, pid, startedAt }) => ({
    startedAt: startedAt.toISOString(),
    isThisOne: pid === process.pid && host.split(' ')[0] === hostname(),
  }))
}

const Database = z.tuple([
  z.object({ sizeBytes: z.coerce.number(), newestMigration: z.string().nullable() }),
])

async function readDatabase(tx: Tx): Promise<Stored['database']> {
  const rows = await tx.$queryRaw`
    SELECT pg_database_size(current_database()) AS "sizeBytes",
      (SELECT max(name) FROM applied_migrations) AS "newestMigration"`
  const [facts] = Database.parse(rows)
  return { reachable: true, ...facts }
}

async function countRuns(tx: Tx): Promise<Stored['runs']> {
  const status = { in: ['queued' as const, 'running' as const, 'waiting' as const] }
  const [active, waiting] = await Promise.all([
    tx.run.count({ where: { status, waitsFor: null } }),
    tx.run.count({ where: { status, waitsFor: { not: null } } }),
  ])
  return { active, waiting }
}

const Connections = z.array(z.object({ name: z.string(), isOpen: z.boolean() }))

async function readConnections(tx: Tx): Promise<Stored['connections']> {
  const rows = await tx.$queryRaw`
    SELECT * FROM (
      SELECT c.name,
        coalesce(h.failures > 0 AND h."openUntil" > now() AT TIME ZONE 'UTC', false) AS "isOpen",
        coalesce(h.failures > 0, false) OR EXISTS (SELECT FROM connection_failures f
          WHERE f."connectionId" = c.id AND (f.scope = '' OR f."modelRecordId" IS NOT NULL)) AS fails
      FROM connections c LEFT JOIN connection_health h ON h."connectionId" = c.id
      WHERE c.enabled AND c.wire <> 'demo') states
    WHERE fails ORDER BY name`
  const found = Connections.parse(rows)
  const namesOf = (isWanted: (row: (typeof found)[number]) => boolean) =>
    found.filter(isWanted).map(({ name }) => name)
  return { failing: namesOf(() => true), circuitsOpen: namesOf(({ isOpen }) => isOpen) }
}

async function vaultState(tx: Tx): Promise<string> {
  try {
    requireKeys(await readVaultState(tx))
    return 'ok'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return 'This server does not have the key with which secrets are encrypted.'
  }
}

async function diskOfData(): Promise<SystemStatus['disk']> {
  try {
    const folder = path.resolve(env().TOOLGATE_DATA_DIR)
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    // The folder does not exist: the database is elsewhere.
    return null
  }
}

const measuredForMs = 1_000
/** The timer that measures comes this late on a loop without any delay. */
const resolution = 10

async function measureDelay(signal: AbortSignal): Promise<SystemStatus['eventLoopDelay']> {
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  try {
    await after(measuredForMs, undefined, { signal })
  } finally {
    histogram.disable()
  }
  const delayMs = (percent: number) =>
    Math.max(0, Math.round((histogram.percentile(percent) / 1e6 - resolution) * 10) / 10)
  return { medianMs: delayMs(50), p99Ms: delayMs(99), measuredForMs }
}
