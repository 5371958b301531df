import 'server-only'
import { requireCheck } from '@/lib/domains/checks/reads'
import type { CheckResult } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { type Tx, unaudited } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { CheckMode } from '@/lib/protocol/check/check'
import type { Engine } from '@/lib/runs/engine/engine'
import type { NewRun } from '@/lib/runs/engine/live-runs'
import { beginRun, lockCheckRun, type OpenCheckRun, storeUnderPolicy } from './begin-run'
import { inputOf, UnrunnableError } from './check-input'
import { judgeEnded } from './judge-ended'

/** Maximum runs of one run of checks that work at the same time. A try that is judged is one of them. */
const mostAtOnce = 4

/** Reason for which a change of these rows is in no audit. */
const why = 'the runs and their journals say it'

/**
 * Judges the tries whose runs ended, and begins those whose turn it is, each at most once, whichever processes call this at the same
 * moment: the row of the run of checks is locked, and a try is stored with its run.
 */
export async function advanceCheckRun(engine: Engine, checkRunId: string): Promise<void> {
  await judgeEnded(engine, checkRunId)
  for (;;) {
    const step = await storeUnderPolicy(engine, checkRunId, (tx) =>
      beginOne(engine, tx, checkRunId),
    )
    if (step === null) return
    if (step.type === 'nothing') break
    if (step.type === 'begun' && step.run) engine.work.start(step.run)
  }
  await endJudged(engine.database.client, checkRunId)
}

/** Goes on after a run of a check, or that of a judge, has ended. */
export async function advanceCheckRunOf(engine: Engine, runId: string): Promise<void> {
  const result = await engine.database.client.checkResult.findFirst({
    where: { OR: [{ runId }, { judges: { some: { runId } } }] },
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

type Step = { type: 'nothing' } | { type: 'refused' } | { type: 'begun'; run: NewRun | undefined }

/** Begins the next try, if there is one and not too many are at work. */
async function beginOne(engine: Engine, tx: Tx, checkRunId: string): Promise<Step> {
  const row = await lockCheckRun(tx, checkRunId)
  const next = await tx.checkResult.findFirst({
    where: { checkRunId, verdict: null, runId: null },
    orderBy: [{ place: 'asc' }, { try: 'asc' }],
  })
  if (!row || !next) return { type: 'nothing' }
  const working = await tx.checkResult.count({
    where: { checkRunId, verdict: null, runId: { not: null } },
  })
  if (working >= mostAtOnce) return { type: 'nothing' }
  const begun = await beginRun(engine, tx, row, (ctx) => draftOf(tx, ctx, row, next))
  const { id } = next
  if (begun.type === 'refused') {
    const data = { verdict: 'not-run', reason: begun.reason }
    await unaudited(tx, why).checkResult.updateMany({ where: { id, verdict: null }, data })
    return begun
  }
  const configuration = await tx.configuration.findUnique({
    where: { id: next.configurationId },
    select: { version: true },
  })
  await unaudited(tx, why).checkResult.update({
    where: { id },
    data: { runId: begun.runId, configurationVersion: configuration?.version ?? null },
  })
  return begun
}

/** Returns what a try begins with: the check as it was when its run of checks began. */
async function draftOf(tx: Tx, ctx: Ctx, row: OpenCheckRun, next: CheckResult) {
  const check = await requireCheck(tx, ctx, next.checkId)
  if (check.version !== next.checkVersion)
    throw new UnrunnableError('The check was changed after this began. Run it again.')
  const mode = CheckMode.parse(row.mode)
  const input = inputOf(check, { configurationId: next.configurationId, mode })
  return { ctx: { ...ctx, starters: check.starters }, input }
}

/** Ends a run of checks each of whose tries has a verdict. */
async function endJudged(client: Tx, checkRunId: string): Promise<void> {
  await unaudited(client, why).checkRun.updateMany({
    where: { id: checkRunId, endedAt: null, results: { every: { verdict: { not: null } } } },
    data: { endedAt: new Date() },
  })
}
