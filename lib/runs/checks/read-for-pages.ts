import 'server-only'
import { z } from 'zod'
import { visibleCheckRuns } from '@/lib/domains/checks/reads'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
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

/** Returns the run of checks to which a run belongs, also that of a judge. Throws NotFoundError when there is none that the caller may see. */
export async function readCheckRunOf(ctx: Ctx, runId: string): Promise<{ checkRunId: string }> {
  const id = z.uuid().safeParse(runId)
  const named = { runId: id.data ?? '' }
  const where = {
    OR: [named, { judges: { some: named } }],
    checkRun: visibleCheckRuns(ctx),
  }
  const found = id.success
    ? await db().checkResult.findFirst({ where, select: { checkRunId: true } })
    : null
  if (!found) throw new NotFoundError('The run of checks')
  return found
}

/** A configuration that a run of checks ran with; `version` null = no try of it has begun. */
export type RanConfiguration = { id: string; name: string; version: number | null }

/**
 * Returns runs of one check or suite, the newest first, each with its configurations and those whose version is another one than in the
 * run before. `before`: the run before all of them; none = there is none. Without `checkId`, all checks of the runs count.
 */
export async function withConfigurations<T extends { id: string }>(
  runs: readonly T[],
  before: readonly T[],
  checkId?: string,
) {
  const all = [...runs, ...before.slice(0, 1)]
  const ranWith = await readRanConfigurations(
    all.map(({ id }) => id),
    checkId,
  )
  const of = (run: T | undefined) => (run && ranWith.get(run.id)) ?? []
  return runs.map((run, place) => {
    const older = all[place + 1]
    const versions = new Map(of(older).map(({ id, version }) => [id, version]))
    const changed = of(run).filter(
      ({ id, version }) => older && version !== null && versions.get(id) !== version,
    )
    return { ...run, configurations: of(run), changed }
  })
}

/** Returns the configurations of runs of checks, by the ids of those runs. */
async function readRanConfigurations(
  checkRunIds: readonly string[],
  checkId: string | undefined,
): Promise<ReadonlyMap<string, RanConfiguration[]>> {
  const rows = await db().checkResult.findMany({
    where: { ...(checkId !== undefined && { checkId }), checkRunId: { in: [...checkRunIds] } },
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

/** Earlier runs of a check with a configuration. Ids are null where the caller may not see the run, or it is gone. */
export type Earlier = {
  checkId: string
  configurationId: string
  /** The newest earlier run that passed. */
  passedRunId: string | null
  /** The run that the check was saved from. */
  originalRunId: string | null
}

/** Returns earlier runs for each check and configuration of a run of checks. */
export async function readEarlier(
  ctx: Ctx,
  { id, createdAt, checks }: Pick<CheckRunDetail, 'id' | 'createdAt' | 'checks'>,
): Promise<Earlier[]> {
  const checkIds = [...new Set(checks.map(({ checkId }) => checkId))]
  const originals = await db().check.findMany({
    where: { id: { in: checkIds } },
    select: { id: true, runId: true },
  })
  const passed = await db().checkResult.findMany({
    where: {
      checkId: { in: checkIds },
      verdict: 'passed',
      checkRun: {
        AND: [{ id: { not: id }, createdAt: { lte: createdAt } }, visibleCheckRuns(ctx)],
      },
    },
    distinct: ['checkId', 'configurationId'],
    orderBy: [{ checkId: 'asc' }, { configurationId: 'asc' }, { checkRun: { createdAt: 'desc' } }],
    select: { checkId: true, configurationId: true, runId: true },
  })
  const keyOf = (each: Pick<Earlier, 'checkId' | 'configurationId'>) =>
    `${each.checkId} ${each.configurationId}`
  const passedRun = new Map(passed.map((each) => [keyOf(each), each.runId]))
  const original = new Map(originals.map((check) => [check.id, check.runId]))
  return withVisible(
    ctx,
    checks.map(({ checkId, configurationId }) => ({
      checkId,
      configurationId,
      passedRunId: passedRun.get(keyOf({ checkId, configurationId })) ?? null,
      originalRunId: original.get(checkId) ?? null,
    })),
  )
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
