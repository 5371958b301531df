import 'server-only'
import { releaseInstance } from '@/lib/domains/budgets/release-reservations'
import { Prisma } from '@/lib/generated/prisma/client'
import { type Database, withTransaction } from '@/lib/kernel/db'
import { activeStates } from '../run-record'
import { settleLostRequests } from './settle-lost-requests'

export type InstanceKind = 'server' | 'cli'

/** An engine as its row names it. `host` is the machine on which its process id is valid. */
export type Instance = { id: string; kind: InstanceKind; host: string }

export async function registerInstance({ client }: Database, instance: Instance): Promise<void> {
  await client.instance.create({ data: { ...instance, pid: process.pid } })
}

/** Updates the heartbeat; inserts the row again when another process has already removed it as dead. */
export async function beatInstance(
  { client }: Database,
  { id, kind, host }: Instance,
): Promise<void> {
  await client.$executeRaw`
    INSERT INTO instances (id, kind, host, pid, "heartbeatAt")
    VALUES (${id}::uuid, ${kind}, ${host}, ${process.pid}, now() AT TIME ZONE 'UTC')
    ON CONFLICT (id) DO UPDATE SET "heartbeatAt" = now() AT TIME ZONE 'UTC'`
}

/** Releases everything an instance owned, so that other processes can continue at once. */
export async function removeInstance(database: Database, id: string): Promise<void> {
  await settleLostRequests(database, id)
  await withTransaction(async (tx) => {
    await tx.run.updateMany({
      where: { instanceId: id, NOT: { status: 'ended' } },
      data: { instanceId: null },
    })
    await releaseInstance(tx, id)
    await tx.instance.deleteMany({ where: { id } })
  }, database.client)
}

/**
 * Releases the runs of dead processes: those without a heartbeat for `deadAfterMs`, and those of the same host whose
 * process is gone.
 */
export async function removeDeadInstances(
  database: Database,
  own: Instance,
  deadAfterMs: number,
): Promise<void> {
  const { client } = database
  const silent = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM instances
    WHERE "heartbeatAt" < now() AT TIME ZONE 'UTC' - make_interval(secs => ${deadAfterMs} / 1000.0)`
  const neighbours = await client.instance.findMany({
    where: { host: own.host, NOT: { id: own.id } },
  })
  const gone = neighbours.filter(({ pid }) => !isAlive(pid))
  const dead = new Set([...silent, ...gone].map(({ id }) => id))
  dead.delete(own.id)
  for (const id of dead) await removeInstance(database, id)
}

/** Returns runs without a living owner, oldest first. */
export async function findFreeRuns({ client }: Database, limit: number): Promise<string[]> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT r.id FROM runs r
    WHERE r.status IN (${Prisma.raw(activeStates)}) AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = r."instanceId")
    ORDER BY r."createdAt" LIMIT ${limit}`
  return rows.map((row) => row.id)
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

/**
 * Claims a run without a living owner; returns false when another process was faster. The second statement compares the
 * owner that the first one read, because PostgreSQL does not evaluate NOT EXISTS again when the row changed
 * concurrently.
 */
export async function claimRun(
  { client }: Database,
  runId: string,
  instanceId: string,
): Promise<boolean> {
  const [free] = await client.$queryRaw<{ heldBy: string | null }[]>`
    SELECT "instanceId" AS "heldBy" FROM runs
    WHERE id = ${runId}::uuid AND status <> 'ended'
      AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = runs."instanceId")`
  if (!free) return false
  const claimed = await client.$executeRaw`
    UPDATE runs SET "instanceId" = ${instanceId}::uuid
    WHERE id = ${runId}::uuid AND status <> 'ended'
      AND "instanceId" IS NOT DISTINCT FROM ${free.heldBy}::uuid`
  return claimed === 1
}

/**
 * Returns whether a process is alive. A row with our own process id is from an earlier start of this container, whose
 * process is dead.
 */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
