import { notFound } from 'next/navigation'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { readRunRecord } from '@/lib/runs/read-run'

/** Returns the run; 404 when it does not exist or is not the reader's, so that nobody can tell the two apart. */
export async function findRun(ctx: Ctx, runId: string) {
  try {
    return await readRunRecord(ctx, runId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
