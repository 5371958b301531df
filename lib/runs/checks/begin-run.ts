import 'server-only'
import { z } from 'zod'
import { limitsOf } from '@/lib/domains/api-keys/verify-api-key'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { type Tx, withTransaction } from '@/lib/kernel/db'
import { AppError, NotFoundError, RateLimitedError, UnavailableError } from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { isUnlimited } from '@/lib/protocol/key-limits'
import type { Engine } from '@/lib/runs/engine/engine'
import type { NewRun } from '@/lib/runs/engine/live-runs'
import { insertRun, type Planned } from '@/lib/runs/start/insert-run'
import { planRun } from '@/lib/runs/start/plan-run'
import { nullIfPolicyChanged, PolicyChangedError } from '@/lib/runs/start/policy-cache'
import type { PlanInput } from '@/lib/runs/start/run-draft'

/** Attempts to plan a run whose policy changed before it was stored. */
const mostAttempts = 10

/** A run of checks that has not ended. */
export type OpenCheckRun = Prisma.CheckRunGetPayload<{ include: { user: true } }>

/** `run` undefined: it waits for a place, and begins by itself then. */
export type BegunRun =
  | { type: 'refused'; reason: string }
  | { type: 'begun'; runId: string; run: NewRun | undefined }

/** `refuse` returns why a planned run does not begin; null = it does. */
type Draft = { ctx: Ctx; input: PlanInput; refuse?: (planned: Planned) => string | null }

/** Returns what `work` stores in a transaction, again when the policy changed meanwhile; null = it changes too often. */
export async function storeUnderPolicy<T>(
  { database }: Engine,
  checkRunId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T | null> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const stored = await withTransaction(work, database.client).catch(nullIfPolicyChanged)
    if (stored !== null) return stored
  }
  log.warn({ source: 'checks', checkRunId }, 'The policy changes too often to begin a run')
  return null
}

/** Locks a run of checks, so that each of its runs begins once; null = it has ended. */
export async function lockCheckRun(tx: Tx, checkRunId: string): Promise<OpenCheckRun | null> {
  await tx.$queryRaw`
    SELECT 1 AS locked FROM check_runs WHERE id = ${checkRunId}::uuid FOR NO KEY UPDATE`
  return tx.checkRun.findFirst({
    where: { id: checkRunId, endedAt: null },
    include: { user: true },
  })
}

/** Stores a run for the person of a run of checks, or returns what forbids it. Throws for what passes, such as too many waiting runs. */
export async function beginRun(
  engine: Engine,
  tx: Tx,
  row: OpenCheckRun,
  draftOf: (ctx: Ctx) => Promise<Draft>,
): Promise<BegunRun> {
  const reason = reasonAgainst(row)
  if (reason !== null) return { type: 'refused', reason }
  try {
    return await begin(engine, tx, row, await draftOf(await ctxOf(tx, row)))
  } catch (error) {
    if (error instanceof z.ZodError) {
      log.error(
        { source: 'checks', checkRunId: row.id, error: String(error) },
        'A check cannot run',
      )
      return {
        type: 'refused',
        reason: 'What the check keeps cannot be run any more. See the log.',
      }
    }
    const passes = error instanceof UnavailableError || error instanceof RateLimitedError
    if (!(error instanceof AppError) || passes) throw error
    return { type: 'refused', reason: error.message }
  }
}

async function begin(
  engine: Engine,
  tx: Tx,
  row: OpenCheckRun,
  { ctx, input, refuse }: Draft,
): Promise<BegunRun> {
  const planned = await planRun(engine, ctx, input, tx)
  const reason = accessEnded(row, planned.run) ?? refuse?.(planned) ?? null
  if (reason !== null) return { type: 'refused', reason }
  const inserted = await insertRun(tx, ctx, {
    ...planned,
    input: { continues: null, changedFrom: null, idempotencyKey: null },
    inputHash: '',
    instanceId: engine.instanceId,
    hasRoom: engine.places.room() > 0,
    queued: engine.places.queued,
  })
  if (inserted === 'policy-changed' || inserted === 'known') throw new PolicyChangedError()
  const { runId } = planned.run
  return { type: 'begun', runId, run: inserted === 'created' ? planned.run : undefined }
}

function reasonAgainst({ stoppedBy, user }: OpenCheckRun): string | null {
  if (stoppedBy !== null) return `Stopped by ${stoppedBy}.`
  const isGone = user.disabledAt !== null || user.deletedAt !== null
  return isGone ? 'The account of its person is not in use any more.' : null
}

/** Returns why a run does not begin although its person may start runs; null = it may. */
function accessEnded(
  { accessEpoch, freezes }: OpenCheckRun,
  run: Pick<NewRun, 'accessEpoch' | 'freezes'>,
): string | null {
  if (accessEpoch !== run.accessEpoch)
    return 'The access of its person was ended and given anew meanwhile.'
  if (freezes !== run.freezes)
    return 'The site was frozen meanwhile, which ended this run of checks.'
  return null
}

/** Returns the context of the person who runs the check, with the limits that their key has now. */
async function ctxOf(
  tx: Tx,
  { user: { id: userId, email, role }, apiKeyId }: OpenCheckRun,
): Promise<Ctx> {
  const ctx: Ctx = { actor: { userId, email, role }, via: 'check', ipAddress: null }
  if (apiKeyId === null) return ctx
  const key = await tx.apiKey.findUnique({ where: { id: apiKeyId } })
  if (!key) throw new NotFoundError('The API key')
  const keyLimits = limitsOf(key)
  return { ...ctx, apiKeyId, ...(!isUnlimited(keyLimits) && { keyLimits }) }
}
