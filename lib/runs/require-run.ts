import 'server-only'
import type { Ctx } from '@/lib/context'
import { db } from '@/lib/db'
import { NotFoundError } from '@/lib/errors'
import type { Prisma } from '@/lib/generated/prisma/client'
import { RunId } from './schemas'

/** Admins see every run, members their own. Part of each query on runs. */
export function visibleRuns(ctx: Ctx): Prisma.RunWhereInput {
  return ctx.actor.role === 'admin' ? {} : { userId: ctx.actor.userId }
}

/** The run's row, or NotFoundError: a stranger cannot tell a foreign run from none (SPEC A3). */
export async function requireRun(ctx: Ctx, runId: string) {
  if (!RunId.safeParse(runId).success) throw new NotFoundError('This run')
  const run = await db().run.findFirst({ where: { AND: [{ id: runId }, visibleRuns(ctx)] } })
  if (!run) throw new NotFoundError('This run')
  return run
}
