import 'server-only'
import { z } from 'zod'
import { limitsOf } from '@/lib/domains/api-keys/verify-api-key'
import { requireCheck } from '@/lib/domains/checks/reads'
import type { CheckResult, Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { type Tx, unaudited, withTransaction } from '@/lib/kernel/db'
import { AppError, NotFoundError, RateLimitedError, UnavailableError } from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { CheckMode } from '@/lib/protocol/check/check'
import { isUnlimited } from '@/lib/protocol/key-limits'
import type { Engine } from '@/lib/runs/engine/engine'
import type { NewRun } from '@/lib/runs/engine/live-runs'
import { insertRun } from '@/lib/runs/start/insert-run'
import { planRun } from '@/lib/runs/start/plan-run'
import { nullIfPolicyChanged, PolicyChangedError } from '@/lib/runs/start/policy-cache'
import type { PlanInput } from '@/lib/runs/start/run-draft'
import { inputOf, UnrunnableError } from './check-input'
import { judgeEnded } from './judge-ended'

/** Maximum runs of one run of checks that work at the same time. */
const mostAtOnce = 4

/** Attempts to plan a try whose policy changed before its run was stored. */
const mostTries = 10

/** Reason for which a change of these rows is in no audit. */
const why = 'the runs and their journals say it'

/**
 * Judges the tries whose runs ended, and begins those whose turn it is, each at most once, whichever processes call this at the same
 * moment: the row of the run of checks is locked, and a try is stored with its run.
 */
export async function advanceCheckRun(engine: Engine, checkRunId: string): Promise<void> {
  await judgeEnded(engine.database, checkRunId)
  let policyChanges = 0
  for (;;) {
    const step = await beginOne(engine, checkRunId, policyChanges > 0).catch(nullIfPolicyChanged)
    if (step === null) {
      policyChanges += 1
      if (policyChanges < mostTries) continue
      log.warn({ source: 'checks', checkRunId }, 'The policy changes too often to begin a try')
      return
    }
    policyChanges = 0
    if (step.type === 'nothing') break
    if (step.type !== 'begun') continue
    if (step.run) engine.work.start(step.run)
    if (!step.hasRoom) break
  }
  await endJudged(engine.database.client, checkRunId)
}

/** Goes on after a run of a check has ended. */
export async function advanceCheckRunOf(engine: Engine, runId: string): Promise<void> {
  const result = await engine.database.client.checkResult.findUnique({
    where: { runId },
    select: { checkRunId: true },
  })
  if (result) await advanceCheckRun(engine, result.checkRunId)
}

/** Looks at the runs of checks that have not ended: a process may have died between the end of one try and the next. */
export async function advanceCheckRuns(engine: Engine): Promise<void> {
  const rows = await engine.database.client.checkRun.findMany({
    where: { endedAt: null },
    select: { id: true },
    orderBy: { createdAt: 'asc' },
    take: 100,
  })
  for (const { id: checkRunId } of rows) {
    // One that cannot go on must not stop the others, nor what follows them.
    await advanceCheckRun(engine, checkRunId).catch((error: unknown) =>
      log.warn({ source: 'checks', checkRunId, error: String(error) }, 'Cannot go on with a check'),
    )
  }
}

type Row = Prisma.CheckRunGetPayload<{ include: { user: true } }>
type Try = CheckResult

/** `run` undefined: it waits for a place, and begins by itself then. `hasRoom`: another try may begin beside it. */
type Step =
  | { type: 'nothing' }
  | { type: 'refused' }
  | { type: 'taken' }
  | { type: 'begun'; run: NewRun | undefined; hasRoom: boolean }

/**
 * Begins the next try, if there is one and not too many are at work. It is planned before its transaction, from what the engine keeps in
 * memory: another process may have taken it by then. `isStale`: what is kept was changed meanwhile.
 */
async function beginOne(engine: Engine, checkRunId: string, isStale: boolean): Promise<Step> {
  const { client } = engine.database
  const row = await client.checkRun.findFirst({
    where: { id: checkRunId, endedAt: null },
    include: { user: true },
  })
  const next = await client.checkResult.findFirst({
    where: { checkRunId, verdict: null, runId: null },
    orderBy: [{ place: 'asc' }, { try: 'asc' }],
  })
  if (!row || !next) return { type: 'nothing' }
  if ((await countWorking(client, checkRunId)) >= mostAtOnce) return { type: 'nothing' }
  const reason = reasonAgainst(row)
  if (reason !== null) return refuse(client, next, reason)
  try {
    return await begin(engine, row, next, isStale)
  } catch (error) {
    // A temporary refusal, such as too many waiting runs, is tried again.
    if (error instanceof z.ZodError) {
      log.error({ source: 'checks', checkRunId, error: String(error) }, 'A check cannot begin')
      return refuse(client, next, 'What the check keeps cannot be run any more. See the log.')
    }
    const passes = error instanceof UnavailableError || error instanceof RateLimitedError
    if (!(error instanceof AppError) || passes) throw error
    return refuse(client, next, error.message)
  }
}

function countWorking(tx: Tx, checkRunId: string): Promise<number> {
  return tx.checkResult.count({ where: { checkRunId, verdict: null, runId: { not: null } } })
}

function reasonAgainst({ stoppedBy, user }: Row): string | null {
  if (stoppedBy !== null) return `Stopped by ${stoppedBy}.`
  const isGone = user.disabledAt !== null || user.deletedAt !== null
  return isGone ? 'The account of its person is not in use any more.' : null
}

async function refuse(tx: Tx, { id }: Try, reason: string): Promise<Step> {
  await unaudited(tx, why).checkResult.updateMany({
    where: { id, verdict: null, runId: null },
    data: { verdict: 'not-run', reason },
  })
  return { type: 'refused' }
}

/** Stores the run of a try together with the try. Throws AppError for what forbids it. */
async function begin(engine: Engine, row: Row, next: Try, isStale: boolean): Promise<Step> {
  const { client } = engine.database
  const { ctx, input } = await draftOf(client, row, next)
  const plan = (from?: Tx) => planRun(engine, ctx, input, from)
  // Re-read from the database before refusing: what is in memory may be stale.
  const planned = await (isStale ? plan(client) : plan().catch(() => plan(client)))
  const reason = accessEnded(row, planned.run)
  if (reason !== null) return refuse(client, next, reason)
  const configuration = await client.configuration.findUnique({
    where: { id: next.configurationId },
    select: { version: true },
  })
  return withTransaction(async (tx) => {
    const room = await lockTurn(tx, next)
    if (room === 0) return { type: 'taken' }
    const inserted = await insertRun(tx, ctx, {
      ...planned,
      input: { continues: null, changedFrom: null, idempotencyKey: null },
      inputHash: '',
      instanceId: engine.instanceId,
      hasRoom: engine.places.room() > 0,
      queued: engine.places.queued,
    })
    if (inserted === 'policy-changed' || inserted === 'known') throw new PolicyChangedError()
    const { run } = planned
    await unaudited(tx, why).checkResult.updateMany({
      where: { id: next.id },
      data: { runId: run.runId, configurationVersion: configuration?.version ?? null },
    })
    return { type: 'begun', run: inserted === 'created' ? run : undefined, hasRoom: room > 1 }
  }, client)
}

/** Locks a run of checks. Returns how many more of its tries may begin: 0 also when this one was begun or all were stopped. */
async function lockTurn(tx: Tx, { id, checkRunId }: Try): Promise<number> {
  const open = await tx.$queryRaw<unknown[]>`
    SELECT 1 AS locked FROM check_runs
    WHERE id = ${checkRunId}::uuid AND "endedAt" IS NULL AND "stoppedBy" IS NULL FOR NO KEY UPDATE`
  // Read behind the lock: another process may have begun it.
  const isFree = await tx.checkResult.count({ where: { id, verdict: null, runId: null } })
  if (open.length === 0 || isFree === 0) return 0
  return Math.max(0, mostAtOnce - (await countWorking(tx, checkRunId)))
}

/** Returns why a try does not begin although its person may start runs; null = it may. */
function accessEnded(
  { accessEpoch, freezes }: Row,
  run: Pick<NewRun, 'accessEpoch' | 'freezes'>,
): string | null {
  if (accessEpoch !== run.accessEpoch)
    return 'The access of its person was ended and given anew meanwhile.'
  if (freezes !== run.freezes)
    return 'The site was frozen meanwhile, which ended this run of checks.'
  return null
}

/** Returns what a try begins with: the check as it was when its run of checks began. */
async function draftOf(tx: Tx, row: Row, next: Try): Promise<{ ctx: Ctx; input: PlanInput }> {
  const ctx = await ctxOf(tx, row)
  const check = await requireCheck(tx, ctx, next.checkId)
  if (check.version !== next.checkVersion)
    throw new UnrunnableError('The check was changed after this began. Run it again.')
  const mode = CheckMode.parse(row.mode)
  const input = inputOf(check, { configurationId: next.configurationId, mode })
  return { ctx: { ...ctx, starters: check.starters }, input }
}

/** Returns the context of the person who runs the check, with the limits that their key has now. */
async function ctxOf(tx: Tx, { user: { id: userId, email, role }, apiKeyId }: Row): Promise<Ctx> {
  const ctx: Ctx = { actor: { userId, email, role }, via: 'check', ipAddress: null }
  if (apiKeyId === null) return ctx
  const key = await tx.apiKey.findUnique({ where: { id: apiKeyId } })
  if (!key) throw new NotFoundError('The API key')
  const keyLimits = limitsOf(key)
  return { ...ctx, apiKeyId, ...(!isUnlimited(keyLimits) && { keyLimits }) }
}

/** Ends a run of checks each of whose tries has a verdict. */
async function endJudged(client: Tx, checkRunId: string): Promise<void> {
  await unaudited(client, why).checkRun.updateMany({
    where: { id: checkRunId, endedAt: null, results: { every: { verdict: { not: null } } } },
    data: { endedAt: new Date() },
  })
}
