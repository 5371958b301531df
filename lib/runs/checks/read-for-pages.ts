import 'server-only'
import { z } from 'zod'
import { toVerdict, visibleCheckRuns } from '@/lib/domains/checks/reads'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import type { CheckVerdict } from '@/lib/protocol/check/check'
import { verdictOf } from '@/lib/protocol/check/check-verdict'
import { visibleOf } from '@/lib/runs/require-run'
import type { CheckRunDetail } from './schemas'

/** Returns the groups to which the caller may give a check: members those that they are in. */
export async function readGroupChoices(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  const { role, userId } = ctx.actor
  return db().group.findMany({
    where: role === 'admin' ? {} : { members: { some: { userId } } },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
}

/** Returns the run of checks to which a run belongs. Throws NotFoundError when there is none that the caller may see. */
export async function readCheckRunOf(ctx: Ctx, runId: string): Promise<{ checkRunId: string }> {
  const id = z.uuid().safeParse(runId)
  const where = { runId: id.data ?? '', checkRun: visibleCheckRuns(ctx) }
  const found = id.success
    ? await db().checkResult.findFirst({ where, select: { checkRunId: true } })
    : null
  if (!found) throw new NotFoundError('The run of checks')
  return found
}

/** A configuration that a run of checks ran with; `version` null = no try of it has begun. */
export type RanConfiguration = { id: string; name: string; version: number | null }

/** Returns the configurations of runs of one check, by the ids of those runs. */
export async function readRanConfigurations(
  checkId: string,
  checkRunIds: readonly string[],
): Promise<ReadonlyMap<string, RanConfiguration[]>> {
  const rows = await db().checkResult.findMany({
    where: { checkId, checkRunId: { in: [...checkRunIds] } },
    orderBy: [{ place: 'asc' }, { try: 'asc' }],
    select: {
      checkRunId: true,
      configurationId: true,
      configurationName: true,
      configurationVersion: true,
    },
  })
  return new Map(
    checkRunIds.map((id) => [id, configurationsIn(rows.filter((row) => row.checkRunId === id))]),
  )
}

type RanTry = {
  configurationId: string
  configurationName: string
  configurationVersion: number | null
}

function configurationsIn(tries: readonly RanTry[]): RanConfiguration[] {
  const found = new Map<string, RanConfiguration>()
  for (const { configurationId: id, configurationName: name, configurationVersion } of tries)
    found.set(id, { id, name, version: found.get(id)?.version ?? configurationVersion })
  return [...found.values()]
}

/** Earlier results of a check with a configuration. Ids of runs are null where the caller may not see the run, or it is gone. */
export type Earlier = {
  checkId: string
  configurationId: string
  /** Verdict of the run of checks before this one; null = there is none. */
  verdict: CheckVerdict | null
  /** The newest earlier run that passed. */
  passedRunId: string | null
  /** The run that the check was saved from. */
  originalRunId: string | null
}

/** Returns earlier results for each check and configuration of a run of checks. */
export async function readEarlier(
  ctx: Ctx,
  { id, createdAt, checks }: Pick<CheckRunDetail, 'id' | 'createdAt' | 'checks'>,
): Promise<Earlier[]> {
  const originals = await db().check.findMany({
    where: { id: { in: checks.map(({ checkId }) => checkId) } },
    select: { id: true, runId: true },
  })
  const earlier: Earlier[] = []
  for (const { checkId, configurationId } of checks) {
    const before = {
      AND: [{ id: { not: id }, createdAt: { lte: createdAt } }, visibleCheckRuns(ctx)],
    }
    const of = { checkId, configurationId, checkRun: before }
    const newest = { orderBy: { checkRun: { createdAt: 'desc' } } } as const
    const [last, passed] = await Promise.all([
      db().checkResult.findFirst({
        ...newest,
        where: { ...of, verdict: { not: null } },
        select: { checkRunId: true },
      }),
      db().checkResult.findFirst({
        ...newest,
        where: { ...of, verdict: 'passed' },
        select: { runId: true },
      }),
    ])
    earlier.push({
      checkId,
      configurationId,
      verdict: last && (await readVerdict(last.checkRunId, { checkId, configurationId })),
      passedRunId: passed?.runId ?? null,
      originalRunId: originals.find((check) => check.id === checkId)?.runId ?? null,
    })
  }
  return withVisible(ctx, earlier)
}

async function readVerdict(
  checkRunId: string,
  of: { checkId: string; configurationId: string },
): Promise<CheckVerdict | null> {
  const tries = await db().checkResult.findMany({
    where: { checkRunId, ...of },
    select: { configurationId: true, verdict: true, passes: true },
  })
  return verdictOf(tries.map((each) => ({ ...each, verdict: toVerdict(each.verdict) })))
}

async function withVisible(ctx: Ctx, earlier: readonly Earlier[]): Promise<Earlier[]> {
  const ids = earlier.flatMap(({ passedRunId, originalRunId }) => [passedRunId, originalRunId])
  const visible = await visibleOf(
    ctx,
    ids.filter((id) => id !== null),
  )
  const seen = (id: string | null) => (id !== null && visible.has(id) ? id : null)
  return earlier.map((each) => ({
    ...each,
    passedRunId: seen(each.passedRunId),
    originalRunId: seen(each.originalRunId),
  }))
}
