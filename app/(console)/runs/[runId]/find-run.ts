import { notFound } from 'next/navigation'
import type { Ctx } from '@/lib/context'
import { NotFoundError } from '@/lib/errors'
import { readRunRecord } from '@/lib/runs/read-run'

/** A run that is not the reader's looks like one that is not there. */
export async function findRun(ctx: Ctx, runId: string) {
  try {
    return await readRunRecord(ctx, runId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
