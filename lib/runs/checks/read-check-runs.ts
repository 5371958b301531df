import 'server-only'
import { z } from 'zod'
import { requireCheck, toVerdict, visibleCheckRuns } from '@/lib/domains/checks/reads'
import { verb } from '@/lib/edge/verb'
import type { Prisma } from '@/lib/generated/prisma/client'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { CheckMode } from '@/lib/protocol/check/check'
import { verdictOf, worstVerdict } from '@/lib/protocol/check/check-verdict'
import { addCost } from '@/lib/protocol/cost/cost'
import { type CheckResult, CheckRunDetail, CheckRunListing, StoredJudged } from './schemas'

const whole = {
  user: { select: { email: true } },
  results: { orderBy: [{ place: 'asc' }, { try: 'asc' }] },
} as const satisfies Prisma.CheckRunInclude

type Row = Prisma.CheckRunGetPayload<{ include: typeof whole }>

export const listCheckRuns = verb({
  name: 'check.list-runs',
  role: 'member',
  scope: 'checks:read',
  moreScopes: ['runs:read'],
  summary: 'Lists the runs of a check, the newest first: those of the account; admins see all.',
  input: z.object({
    id: z.string().trim().min(1).max(100),
    page: z.coerce.number().int().min(1).max(100_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(100).default(20),
  }),
  output: z.object({
    runs: z.array(CheckRunListing),
    total: z.number(),
    page: z.number(),
    pageSize: z.number(),
  }),
  transaction: false,
  run: async ({ ctx }, { id, page, pageSize }) => {
    const check = await requireCheck(db(), ctx, id)
    const where = { AND: [visibleCheckRuns(ctx), { results: { some: { checkId: check.id } } }] }
    const rows = await db().checkRun.findMany({
      where,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: (page - 1) * pageSize,
      take: pageSize,
      include: whole,
    })
    const total = await db().checkRun.count({ where })
    return { runs: rows.map(toListing), total, page, pageSize }
  },
})

/** Throws NotFoundError for a run of somebody else, as for none. */
export const readCheckRun = verb({
  name: 'check-run.read',
  role: 'member',
  scope: 'checks:read',
  moreScopes: ['runs:read'],
  summary: 'Returns a run of checks with each try, its verdict and what its assertions found.',
  input: z.object({ id: z.string().max(100) }),
  output: CheckRunDetail,
  transaction: false,
  run: async ({ ctx }, { id }) => {
    const named = { id: parseId(id, what) }
    const row = await db().checkRun.findFirst({
      where: { AND: [named, visibleCheckRuns(ctx)] },
      include: whole,
    })
    if (!row) throw new NotFoundError(what)
    const results = row.results.map(toResult)
    return { ...toListing(row), checks: summariesOf(row), results }
  },
})

const what = 'The run of checks'

function toListing(row: Row): CheckRunListing {
  const { id, name, mode, user, createdAt, endedAt, stoppedBy, results } = row
  const count = (verdict: string | null) =>
    results.filter((each) => each.verdict === verdict).length
  return {
    id,
    name,
    mode: CheckMode.parse(mode),
    by: user.email,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    status: endedAt === null ? 'running' : 'ended',
    stoppedBy,
    verdict: worstVerdict(summariesOf(row).map(({ verdict }) => verdict)),
    passed: count('passed'),
    failed: count('failed'),
    notRun: count('not-run'),
    open: count(null),
    costMicroUsd: results
      .filter(({ runId }) => runId !== null)
      .reduce<number | null>((sum, each) => addCost(sum, toCost(each)), 0),
  }
}

/** Returns the cost of a try; 0 while it has not ended. */
function toCost({ costMicroUsd, verdict }: Row['results'][number]): number | null {
  if (verdict === null) return 0
  return costMicroUsd === null ? null : Number(costMicroUsd)
}

function summariesOf({ results }: Row): CheckRunDetail['checks'] {
  return results.flatMap((first) => {
    if (first.try !== 1) return []
    const { checkId, checkName, configurationId, configurationName, passes } = first
    const tries = results.filter(
      (each) => each.checkId === checkId && each.configurationId === configurationId,
    )
    const verdicts = tries.map((each) => ({ ...each, verdict: toVerdict(each.verdict) }))
    return [
      {
        checkId,
        checkName,
        configurationId,
        configurationName,
        verdict: verdictOf(verdicts),
        tries: tries.length,
        passed: tries.filter(({ verdict }) => verdict === 'passed').length,
        passes,
      },
    ]
  })
}

function toResult(row: Row['results'][number]): CheckResult {
  const { configurationId, configurationName, configurationVersion, judged } = row
  return {
    id: row.id,
    checkId: row.checkId,
    checkName: row.checkName,
    configuration: { id: configurationId, name: configurationName, version: configurationVersion },
    try: row.try,
    runId: row.runId,
    verdict: toVerdict(row.verdict),
    reason: row.reason,
    judged: judged === null ? null : StoredJudged.parse(JSON.parse(judged)),
    costMicroUsd: row.costMicroUsd === null ? null : Number(row.costMicroUsd),
    durationMs: row.durationMs,
  }
}
