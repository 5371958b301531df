import 'server-only'
import { z } from 'zod'
import {
  listSuiteNames,
  requireCheck,
  requireSuite,
  toVerdict,
  visibleCheckRuns,
} from '@/lib/domains/checks/reads'
import { verb } from '@/lib/edge/verb'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { CheckMode } from '@/lib/protocol/check/check'
import { verdictOf, worstVerdict } from '@/lib/protocol/check/check-verdict'
import { addCost } from '@/lib/protocol/cost/cost'
import { type CheckResult, CheckRunDetail, CheckRunListing, StoredJudged } from './schemas'

const orderBy = [
  { place: 'asc' },
  { try: 'asc' },
] as const satisfies Prisma.CheckResultOrderByWithRelationInput[]
const whole = {
  user: { select: { email: true } },
  results: { orderBy: [...orderBy] },
} as const satisfies Prisma.CheckRunInclude
/** The same without the texts, which a list does not show. */
const listed = {
  user: whole.user,
  results: { orderBy: [...orderBy], omit: { assertions: true, judged: true } },
} as const satisfies Prisma.CheckRunInclude

type Row = Prisma.CheckRunGetPayload<{ include: typeof whole }>
type ListedRow = Prisma.CheckRunGetPayload<{ include: typeof listed }>

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
    return { ...(await pageRuns(where, { page, pageSize })), page, pageSize }
  },
})

export const listSuiteRuns = verb({
  name: 'check.list-suite-runs',
  role: 'member',
  scope: 'checks:read',
  moreScopes: ['runs:read'],
  summary: 'Lists the runs of a suite, the newest first: those of the account; admins see all.',
  input: z.object({
    suite: z.string().trim().min(1).max(100),
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
  run: async ({ ctx }, { suite, page, pageSize }) => {
    const where = { AND: [visibleCheckRuns(ctx), { isSuite: true, name: suite }] }
    const found = await pageRuns(where, { page, pageSize })
    // A suite is what its checks and runs say: without any, it is not there for the caller.
    if (found.total === 0) await requireSuite(db(), ctx, suite)
    return { ...found, page, pageSize }
  },
})

/** A suite: the checks that have its name, and its newest run that the caller may see. */
const SuiteListing = z.object({
  name: z.string(),
  checks: z.number(),
  last: CheckRunListing.nullable(),
})

export const listSuites = verb({
  name: 'check.list-suites',
  role: 'member',
  scope: 'checks:read',
  moreScopes: ['runs:read'],
  summary: 'Lists the suites of the checks that the account may see, each with its newest run.',
  input: z.object({}),
  output: z.object({ suites: z.array(SuiteListing) }),
  transaction: false,
  run: async ({ ctx }) => {
    const suites = await listSuiteNames(db(), ctx)
    const names = suites.map(({ name }) => name)
    const newest = await db().checkRun.findMany({
      where: { AND: [visibleCheckRuns(ctx), { isSuite: true, name: { in: names } }] },
      distinct: ['name'],
      orderBy: [{ name: 'asc' }, { createdAt: 'desc' }],
      include: listed,
    })
    const last = new Map(newest.map((row) => [row.name, toListing(row)]))
    return { suites: suites.map((suite) => ({ ...suite, last: last.get(suite.name) ?? null })) }
  },
})

async function pageRuns(
  where: Prisma.CheckRunWhereInput,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ runs: CheckRunListing[]; total: number }> {
  const rows = await db().checkRun.findMany({
    where,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    skip: (page - 1) * pageSize,
    take: pageSize,
    include: listed,
  })
  return { runs: rows.map(toListing), total: await db().checkRun.count({ where }) }
}

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
    const previous = await readPrevious(ctx, row)
    const before = previous ? summariesOf(previous) : []
    return {
      ...toListing(row),
      previous: previous && { id: previous.id, createdAt: previous.createdAt.toISOString() },
      configurationIds: row.configurationIds,
      checks: summariesOf(row, before),
      results,
    }
  },
})

/** Returns the run of the same check or suite before this one that ended. */
async function readPrevious(
  ctx: Ctx,
  { isSuite, name, createdAt, results }: Row,
): Promise<ListedRow | null> {
  const checkId = results[0]?.checkId
  if (!isSuite && checkId === undefined) return null
  const same = isSuite
    ? { isSuite, name }
    : { isSuite, results: { some: { checkId: String(checkId) } } }
  return db().checkRun.findFirst({
    where: {
      AND: [visibleCheckRuns(ctx), same, { createdAt: { lt: createdAt }, endedAt: { not: null } }],
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    include: listed,
  })
}

const what = 'The run of checks'

function toListing(row: ListedRow): CheckRunListing {
  const { id, name, isSuite, mode, user, createdAt, endedAt, stoppedBy, results } = row
  const count = (verdict: string | null) =>
    results.filter((each) => each.verdict === verdict).length
  return {
    id,
    name,
    isSuite,
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
function toCost({ costMicroUsd, verdict }: ListedRow['results'][number]): number | null {
  if (verdict === null) return 0
  return costMicroUsd === null ? null : Number(costMicroUsd)
}

type Summary = CheckRunDetail['checks'][number]

/** Returns one summary for each check and configuration. `before`: those of the run before it. */
function summariesOf({ results }: ListedRow, before: readonly Summary[] = []): Summary[] {
  const keyOf = (each: { checkId: string; configurationId: string }) =>
    `${each.checkId} ${each.configurationId}`
  const byKey = new Map<string, typeof results>()
  for (const result of results)
    byKey.set(keyOf(result), [...(byKey.get(keyOf(result)) ?? []), result])
  const known = new Map(before.map((each) => [keyOf(each), each]))
  return results.flatMap((first) => {
    if (first.try !== 1) return []
    const { checkId, checkName, configurationId, configurationName, passes } = first
    const tries = byKey.get(keyOf(first)) ?? []
    const was = known.get(keyOf(first))
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
        before: was?.verdict ?? null,
        configurationVersion: first.configurationVersion,
        versionBefore: was?.configurationVersion ?? null,
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
