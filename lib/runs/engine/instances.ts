import 'server-only'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { releaseInstance } from '@/lib/domains/budgets/release-reservations'
import { Prisma } from '@/lib/generated/prisma/client'
import { type Database, withTransaction } from '@/lib/kernel/db'
import { channels, type Notifications } from '../journal/notifications'
import type { ClockReading } from '../journal/run-clock'
import { activeStates } from '../run-record'
import { settleLostRequests } from './settle-lost-requests'

export type InstanceKind = 'server' | 'cli'

/** An engine as its row names it. `host` is where its process id is valid. */
export type Instance = { id: string; kind: InstanceKind; host: string }

type Row = {
  id: string
  host: string
  pid: number
  processStart: string
  heartbeat: string
  silentMs: number
}

/** State of the database that each row of a heartbeat carries. */
type Site = { migrations: number; nowMs: number }

/** Knowledge of one engine about the others. */
export type Heartbeats = {
  /**
   * Says that this engine is alive, and returns the others that are not: those without a heartbeat for so long, and
   * those of the same host whose process is gone. Goes over the connection that listens, so that it waits for no run.
   */
  beat: () => Promise<string[]>
  /** Returns each engine of the same host once its process is gone. Asks only the operating system. */
  findGone: () => string[]
}

type HeartbeatOptions = {
  /** Returns the number of further runs that this engine may work on, for those who wait. */
  room?: () => number
  /** Called once when a newer version has migrated the database. */
  onNewerSchema?: (() => void) | undefined
  /** Receives the time of the database with each heartbeat. */
  onTime?: (reading: ClockReading) => void
}

/**
 * Opens the heartbeats of one engine. Silence of others is measured by the clock of this process that nobody can set,
 * from the moment their last heartbeat was seen. After a time without an answer of PostgreSQL, or in which this process
 * stood still, it begins anew: the others had no chance to be seen.
 */
export function openHeartbeats(
  notifications: Notifications,
  { id, kind, host }: Instance,
  deadAfterMs: number,
  {
    room = () => 0,
    onNewerSchema = () => undefined,
    onTime = () => undefined,
  }: HeartbeatOptions = {},
): Heartbeats {
  let seen = new Map<string, Row & { at: number }>()
  /** The number of migrations at the last heartbeat; null before the first one, whose migrations count as those of this version. */
  let migrated: number | null = null
  let answeredAt = performance.now()
  const isGoneHere = (row: Row) => row.host === host && isGone(row)
  return {
    beat: async () => {
      const values = [id, kind, host, process.pid, startOf(process.pid) ?? '', room()]
      const askedAt = performance.now()
      const rows = await notifications.query<Partial<Row> & Site>({
        name: 'beat',
        text: beatStatement,
        values,
      })
      const others = rows.filter((row): row is Row & Site => row.id != null)
      const { migrations = 0, nowMs } = rows[0] ?? {}
      if (nowMs !== undefined) onTime({ databaseMs: nowMs, askedAt })
      migrated ??= migrations
      const isNewer = migrations > migrated
      migrated = migrations
      if (isNewer) onNewerSchema()
      const at = performance.now()
      const isAnew = at - answeredAt > deadAfterMs / 2
      answeredAt = at
      const seenAt = (row: Row) => {
        const before = seen.get(row.id)
        if (!before) return at - Math.max(0, row.silentMs)
        return isAnew || before.heartbeat !== row.heartbeat ? at : before.at
      }
      seen = new Map(others.map((row) => [row.id, { ...row, at: seenAt(row) }]))
      const isDead = (row: Row & { at: number }) => at - row.at > deadAfterMs || isGoneHere(row)
      return [...seen.values()].filter(isDead).map((row) => row.id)
    },
    findGone: () => {
      const gone = [...seen.values()].filter(isGoneHere).map((row) => row.id)
      // If their rows stay, the next heartbeat finds them again.
      for (const each of gone) seen.delete(each)
      return gone
    },
  }
}

const now = `now() AT TIME ZONE 'UTC'`

/** No heartbeat could arrive before PostgreSQL started. */
const beatStatement = `
WITH own AS (
  INSERT INTO instances (id, kind, host, pid, "processStart", "heartbeatAt", room)
  VALUES ($1::uuid, $2, $3, $4, $5, ${now}, $6::int)
  ON CONFLICT (id) DO UPDATE SET "heartbeatAt" = excluded."heartbeatAt", room = excluded.room)
SELECT id, host, pid, "processStart", "heartbeatAt"::text AS heartbeat,
  (extract(epoch FROM least(${now} - "heartbeatAt", now() - pg_postmaster_start_time())) * 1000)::float8 AS "silentMs",
  m.migrations, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"
FROM (SELECT count(*)::int AS migrations FROM applied_migrations) m LEFT JOIN instances ON id <> $1::uuid`

/** Stores an engine. Returns the time of the database. */
export async function registerInstance(
  { pool }: Database,
  { id, kind, host }: Instance,
): Promise<ClockReading> {
  const values = [id, kind, host, process.pid, startOf(process.pid) ?? '', 0]
  const askedAt = performance.now()
  const { rows } = await pool.query<Site>(beatStatement, values)
  if (!rows[0]) throw new Error('A heartbeat returned no row.')
  return { databaseMs: rows[0].nowMs, askedAt }
}

/** Releases everything that a closing instance owns, so that other processes can continue at once. */
export async function removeInstance(database: Database, id: string): Promise<void> {
  await settleLostRequests(database, id)
  await withTransaction(async (tx) => {
    await tx.$executeRaw`
      WITH locked AS MATERIALIZED (
        SELECT id FROM runs WHERE "instanceId" = ${id}::uuid AND status <> 'ended' ORDER BY id FOR NO KEY UPDATE)
      UPDATE runs SET "instanceId" = NULL FROM locked WHERE runs.id = locked.id`
    await releaseInstance(tx, id)
    await tx.instance.deleteMany({ where: { id } })
    await tx.$executeRaw`SELECT pg_notify(${channels.work}, '')`
  }, database.client)
}

/** Forgets dead instances: their runs have no living owner then, and every server is told to claim some of them. */
export async function removeDeadInstances({ pool }: Database, dead: string[]): Promise<void> {
  await pool.query(
    `WITH dead AS (DELETE FROM instances WHERE id = ANY($1::uuid[]) RETURNING id)
     SELECT pg_notify('${channels.work}', '') FROM dead LIMIT 1`,
    [dead],
  )
}

/** Returns the active runs that an instance owns and that were created more than `overdueAfterMs` ago. */
export async function findOverdueRuns(
  { client }: Database,
  instanceId: string,
  overdueAfterMs: number,
): Promise<string[]> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs
    WHERE status IN (${Prisma.raw(activeStates)}) AND "instanceId" = ${instanceId}::uuid
      AND "createdAt" < now() AT TIME ZONE 'UTC' - make_interval(secs => ${overdueAfterMs} / 1000.0)`
  return rows.map((row) => row.id)
}

/** Claims the oldest runs without a living owner, at most `limit`, with what their requests reserved. */
export async function claimRuns(
  { pool }: Database,
  instanceId: string,
  limit: number,
): Promise<string[]> {
  const values = [instanceId, limit]
  const { rows } = await pool.query<{ id: string }>({
    name: 'claim runs',
    text: claimStatement,
    values,
  })
  return rows.map((row) => row.id)
}

/**
 * The second step compares the owner that the first one read, because PostgreSQL does not evaluate NOT EXISTS again when
 * the row changed concurrently. What another process claims at this moment is left to it. A request that its process did
 * not end stays reserved, until the run records what it may have used.
 */
const claimStatement = `
WITH free AS MATERIALIZED (
  SELECT r.id, r."instanceId" AS owner FROM runs r
  WHERE r.status IN (${activeStates}) AND r."waitsFor" IS NULL AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = r."instanceId")
  ORDER BY r."createdAt" LIMIT 4 * $2::int),
taken AS MATERIALIZED (
  SELECT r.id, free.owner FROM runs r JOIN free ON free.id = r.id
  WHERE r.status <> 'ended' AND r."waitsFor" IS NULL AND r."instanceId" IS NOT DISTINCT FROM free.owner
  ORDER BY r."createdAt" LIMIT $2::int FOR UPDATE OF r SKIP LOCKED),
held AS (
  UPDATE budget_reservations b SET "instanceId" = $1::uuid FROM taken
  WHERE b."runId" = taken.id AND b."instanceId" = taken.owner AND b.status = 'open')
UPDATE runs SET "instanceId" = $1::uuid FROM taken WHERE runs.id = taken.id RETURNING runs.id`

/**
 * Returns where process ids of this process mean the same: the start of the machine and its process name space. Two
 * containers can have the same host name.
 */
export function thisHost(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // Not Linux.
    return hostname()
  }
}

/**
 * Returns whether no process has this id and start. A row with our own process id is from an earlier start of this
 * container, whose process is dead.
 */
function isGone({ pid, processStart }: Pick<Row, 'pid' | 'processStart'>): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM')
  }
  const start = startOf(pid)
  return start !== null && processStart !== '' && start !== processStart
}

/** Returns when a process began, in ticks since the machine did; empty = it has ended; null = unknown. */
function startOf(pid: number): string | null {
  try {
    // The name of the program, which may have spaces, is in parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? null)
  } catch {
    return null
  }
}
