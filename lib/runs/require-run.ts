import 'server-only'
import { isLimitedKey, runsWithinKey } from '@/lib/domains/rows/runs-within-key'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { database, db, type Tx, withTransaction } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { runningEngine } from './engine/engine'
import { RunId } from './schemas'

/** Runs one transaction on the database of the engine of this process, which has the engine's runs. */
export function inRunDatabase<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const { client } = runningEngine()?.database ?? database()
  return withTransaction(work, client)
}

/** Returns the condition on the runs the caller may see: admins all, members their own; with a limited key, those within its limits. */
export function visibleRuns(ctx: Ctx): Prisma.RunWhereInput {
  return { AND: [runsOfRole(ctx), runsWithinKey(ctx)] }
}

/** Returns the condition on the runs that the person may see, whatever key they use. */
export function runsOfRole({ actor }: Ctx): Prisma.RunWhereInput {
  return actor.role === 'admin' ? {} : { userId: actor.userId }
}

/** Returns whether the caller may see the runs of this person: `visibleRuns` for a run in memory. A limited key reads the row. */
export function seesRunsOf(ctx: Ctx, userId: string): boolean {
  return !isLimitedKey(ctx) && (ctx.actor.role === 'admin' || ctx.actor.userId === userId)
}

/** Returns the row of a run. Throws the same NotFoundError for a run of somebody else as for none (SPEC A3). */
export async function requireRun(ctx: Ctx, runId: string, client: Tx = db()) {
  if (!RunId.safeParse(runId).success) throw new NotFoundError('This run')
  const run = await client.run.findFirst({ where: { AND: [{ id: runId }, visibleRuns(ctx)] } })
  if (!run) throw new NotFoundError('This run')
  return run
}

/** Returns which of these runs the caller may see. */
export async function visibleOf(ctx: Ctx, runIds: readonly string[]): Promise<Set<string>> {
  const { client } = runningEngine()?.database ?? database()
  const ids = runIds.filter((runId) => RunId.safeParse(runId).success)
  const where = { AND: [{ id: { in: ids } }, visibleRuns(ctx)] }
  const rows = await client.run.findMany({ where, select: { id: true } })
  return new Set(rows.map(({ id }) => id))
}
