import 'server-only'
import type { Ctx } from '@/lib/context'
import { db } from '@/lib/db'
import { NotFoundError } from '@/lib/errors'
import { requireRun } from './require-run'

/** The whole result of one call (UTF-8 text, at most 5 MiB), where the journal holds only its beginning. */
export async function readCallResult(ctx: Ctx, runId: string, callId: string): Promise<string> {
  await requireRun(ctx, runId)
  const result = await db().callResult.findUnique({ where: { runId_callId: { runId, callId } } })
  if (!result) throw new NotFoundError('This result')
  return result.content
}
