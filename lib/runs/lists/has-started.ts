import 'server-only'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'

/** Returns whether the caller started a run or a panel with this idempotency key. */
export async function hasStarted({ actor }: Ctx, { key }: { key: string }): Promise<boolean> {
  const where = { userId_idempotencyKey: { userId: actor.userId, idempotencyKey: key } }
  const [run, panel] = await Promise.all([
    db().run.findUnique({ where, select: { id: true } }),
    db().panel.findUnique({ where, select: { id: true } }),
  ])
  return run !== null || panel !== null
}
