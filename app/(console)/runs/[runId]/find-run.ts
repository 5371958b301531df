import { orNotFound } from '@/lib/auth/or-not-found'
import type { Ctx } from '@/lib/kernel/context'
import { readRunRecord } from '@/lib/runs/read-run'

/** Returns the run that an address names. */
export async function findRun(ctx: Ctx, runId: string) {
  return orNotFound(() => readRunRecord(ctx, runId))
}
