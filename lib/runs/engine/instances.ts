import 'server-only'
import { hostname } from 'node:os'
import { releaseInstance } from '@/lib/domains/budgets/release-reservations'
import { db, withTransaction } from '@/lib/kernel/db'
import { settleLostRequests } from './settle-lost-requests'

/** A process without a heartbeat for this long is dead: others claim its runs. */
const deadAfterSeconds = 15

export type InstanceKind = 'server' | 'cli'

export async function registerInstance(id: string, kind: InstanceKind): Promise<void> {
  await db().instance.create({ data: { id, kind, host: hostname(), pid: process.pid } })
}

/** Updates the heartbeat; inserts the row again when another process has already removed it as dead. */
export async function beatInstance(id: string, kind: InstanceKind): Promise<void> {
  await db().$executeRaw`
    INSERT INTO instances (id, kind, host, pid, "heartbeatAt")
    VALUES (${id}::uuid, ${kind}, ${hostname()}, ${process.pid}, now() AT TIME ZONE 'UTC')
    ON CONFLICT (id) DO UPDATE SET "heartbeatAt" = now() AT TIME ZONE 'UTC'`
}

/** Releases everything an instance owned, so that other processes can continue at once. */
export async function removeInstance(id: string): Promise<void> {
  await settleLostRequests(id)
  await withTransaction(async (tx) => {
    await tx.run.updateMany({
      where: { instanceId: id, NOT: { status: 'ended' } },
      data: { instanceId: null },
    })
    await releaseInstance(tx, id)
    await tx.instance.deleteMany({ where: { id } })
  })
}

/** Releases the runs of dead processes: those without a heartbeat, and those of this host whose process is gone. */
export async function removeDeadInstances(ownId: string): Promise<void> {
  const silent = await db().$queryRaw<{ id: string }[]>`
    SELECT id FROM instances
    WHERE "heartbeatAt" < now() AT TIME ZONE 'UTC' - make_interval(secs => ${deadAfterSeconds})`
  const neighbours = await db().instance.findMany({
    where: { host: hostname(), NOT: { id: ownId } },
  })
  const gone = neighbours.filter((instance) => !isAlive(instance.pid))
  const dead = new Set([...silent, ...gone].map((instance) => instance.id))
  dead.delete(ownId)
  for (const id of dead) await removeInstance(id)
}

/** Returns runs without a living owner, oldest first. */
export async function findFreeRuns(limit: number): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT r.id FROM runs r
    WHERE r.status <> 'ended' AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = r."instanceId")
    ORDER BY r."createdAt" LIMIT ${limit}`
  return rows.map((row) => row.id)
}

/** Returns the active runs that this process owns and that were created more than 5 seconds ago. */
export async function findOwnRuns(instanceId: string): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT id FROM runs
    WHERE status <> 'ended' AND "instanceId" = ${instanceId}::uuid
      AND "createdAt" < now() AT TIME ZONE 'UTC' - interval '5 seconds'`
  return rows.map((row) => row.id)
}

/**
 * Claims a run without a living owner; returns false when another process was faster. The second statement compares the
 * owner that the first one read, because PostgreSQL does not evaluate NOT EXISTS again when the row changed
 * concurrently.
 */
export async function claimRun(runId: string, instanceId: string): Promise<boolean> {
  const [free] = await db().$queryRaw<{ heldBy: string | null }[]>`
    SELECT "instanceId" AS "heldBy" FROM runs
    WHERE id = ${runId}::uuid AND status <> 'ended'
      AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = runs."instanceId")`
  if (!free) return false
  const claimed = await db().$executeRaw`
    UPDATE runs SET "instanceId" = ${instanceId}::uuid
    WHERE id = ${runId}::uuid AND status <> 'ended'
      AND "instanceId" IS NOT DISTINCT FROM ${free.heldBy}::uuid`
  return claimed === 1
}

/** A row with our own process id is from an earlier start of this container, so that process is dead. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
