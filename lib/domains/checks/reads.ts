import { z } from 'zod'
import { groupLinks, groupsOf, groupsOfPerson } from '@/lib/domains/rows/group-access'
import { roleWithinKey } from '@/lib/domains/rows/runs-within-key'
import { type Check, Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { type Assertion, Assertions } from '@/lib/protocol/check/assertion'
import { CheckVerdict } from '@/lib/protocol/check/check'
import { verdictOf } from '@/lib/protocol/check/check-verdict'
import { OwnCostCap } from '@/lib/protocol/cost/money'
import { FileDataClass } from '@/lib/protocol/files/given-files'
import { StoredSchema } from '@/lib/protocol/parameters/parameter-values'
import { RunOverrides } from '@/lib/protocol/run/run-overrides'
import { type SortDirection, sortParts } from '@/lib/shape/sort-order'
import {
  type CheckDetail,
  type CheckFilter,
  type CheckListing,
  type CheckSortKey,
  CheckSources,
  StoredRecordings,
} from './schemas'

const what = 'The check'

/**
 * Returns the condition on checks that the caller may see: their own and those of their groups, admins all. A key that is limited to
 * configurations sees those of them, and one that is limited to tools none, because a check has results of any tool.
 */
export function visibleChecks(ctx: Ctx): Prisma.CheckWhereInput {
  const { role, userId } = ctx.actor
  const own = [{ createdById: userId }, { groups: groupsOfPerson(userId) }]
  return { AND: [role === 'admin' ? {} : { OR: own }, withinKey(ctx)] }
}

function withinKey({ keyLimits }: Ctx): Prisma.CheckWhereInput {
  const { configurations = null, tools = null, toolGroups = null } = keyLimits ?? {}
  return {
    ...(configurations && { configurationId: { in: configurations } }),
    ...((tools ?? toolGroups) && { id: { in: [] } }),
  }
}

/** Relations read with a check. */
const whole = {
  configuration: { select: { name: true } },
  task: { select: { name: true } },
  createdBy: { select: { email: true } },
  files: {
    orderBy: { position: 'asc' },
    select: { dataClass: true, file: { select: { id: true, name: true } } },
  },
  groups: groupLinks.groups,
} as const satisfies Prisma.CheckInclude

export type CheckRow = Prisma.CheckGetPayload<{ include: typeof whole }>

/**
 * Returns a check that the caller may see, by id or name. Throws NotFoundError, the same for one of somebody else as for none, and
 * ConflictError for a name that several have, of which none is the caller's own.
 */
export async function requireCheck(client: Tx, ctx: Ctx, idOrName: string): Promise<CheckRow> {
  const id = z.uuid().safeParse(idOrName)
  const named = id.success ? { id: id.data } : { name: idOrName }
  const rows = await client.check.findMany({
    where: { AND: [named, visibleChecks(ctx)] },
    take: 10,
  })
  const own = rows.find(({ createdById }) => createdById === ctx.actor.userId)
  const found = own ?? rows[0]
  if (!found) throw new NotFoundError(what)
  if (!own && rows.length > 1)
    throw new ConflictError('Several checks have this name. Give the id of one.')
  return withRelations(client, found)
}

/** Reads the relations of a check one after the other: a transaction has one connection, and Prisma reads several at once. */
async function withRelations(client: Tx, check: Check): Promise<CheckRow> {
  const { id: checkId, configurationId, taskId, createdById } = check
  const named = { select: { name: true } } as const
  const configuration =
    configurationId === null
      ? null
      : await client.configuration.findUnique({ where: { id: configurationId }, ...named })
  const task =
    taskId === null ? null : await client.task.findUnique({ where: { id: taskId }, ...named })
  const createdBy =
    createdById === null
      ? null
      : await client.user.findUnique({ where: { id: createdById }, ...whole.createdBy })
  const files = await client.checkFile.findMany({ where: { checkId }, ...whole.files })
  const groups = await client.checkGroup.findMany({ where: { checkId }, ...whole.groups })
  return { ...check, configuration, task, createdBy, files, groups }
}

/** Returns the checks of a suite that the caller may see, by name. Throws NotFoundError when there is none. */
export async function requireSuite(client: Tx, ctx: Ctx, suite: string): Promise<ListedRow[]> {
  const rows = await client.check.findMany({
    where: { AND: [{ suites: { has: suite } }, visibleChecks(ctx)] },
    omit: { recordings: true, prompt: true },
    include: whole,
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  if (rows.length === 0) throw new NotFoundError('The suite')
  return rows
}

/** Returns the names of the suites that the caller may see checks of, each with how many. */
export async function listSuiteNames(
  client: Tx,
  ctx: Ctx,
): Promise<{ name: string; checks: number }[]> {
  const rows = await client.check.findMany({ where: visibleChecks(ctx), select: { suites: true } })
  const counts = new Map<string, number>()
  for (const name of rows.flatMap(({ suites }) => suites))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .map(([name, checks]) => ({ name, checks }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Returns whether the caller may change and delete a check that they see: its author and admins. */
export function mayEditCheck(ctx: Ctx, { createdById }: { createdById: string | null }): boolean {
  return roleWithinKey(ctx) === 'admin' || createdById === ctx.actor.userId
}

/** Returns one page of the checks that the caller may see. */
export async function pageChecks(
  client: Tx,
  ctx: Ctx,
  { search, configuration, suite, state, page, pageSize, sort }: CheckFilter,
): Promise<{ checks: CheckListing[]; total: number }> {
  const { key, direction } = sortParts(sort)
  const where: Prisma.CheckWhereInput = {
    AND: [
      visibleChecks(ctx),
      configuration ? { configurationId: configuration } : {},
      suite ? { suites: { has: suite } } : {},
      search ? matches(search) : {},
      state === 'red' ? { id: { in: await findRedChecks(client, ctx) } } : {},
    ],
  }
  const rows = await client.check.findMany({
    where,
    orderBy: [columns[key](direction), { id: 'asc' }],
    skip: (page - 1) * pageSize,
    take: pageSize,
    omit: { recordings: true, prompt: true },
    include: whole,
  })
  const last = await readLast(
    client,
    ctx,
    rows.map(({ id }) => id),
  )
  return {
    checks: rows.map((row) => ({ ...listingOf(ctx, row), last: last.get(row.id) ?? null })),
    total: await client.check.count({ where }),
  }
}

const columns: Record<CheckSortKey, (way: SortDirection) => Prisma.CheckOrderByWithRelationInput> =
  {
    name: (way) => ({ name: way }),
    configuration: (way) => ({ configurationName: way }),
    changed: (way) => ({ updatedAt: way }),
  }

function matches(search: string): Prisma.CheckWhereInput {
  const contains = {
    contains: search.replace(/[\\%_]/g, '\\$&'),
    mode: Prisma.QueryMode.insensitive,
  }
  return { OR: [{ name: contains }, { description: contains }, { prompt: contains }] }
}

/** Returns the condition on runs of checks that the caller may see: their own, admins all; of a limited key, its own. */
export function visibleCheckRuns({ actor, apiKeyId, keyLimits }: Ctx): Prisma.CheckRunWhereInput {
  const { configurations = null, tools = null, toolGroups = null } = keyLimits ?? {}
  const isLimited = (configurations ?? tools ?? toolGroups) !== null
  return {
    ...(actor.role !== 'admin' && { userId: actor.userId }),
    // Without an id, none fits.
    ...(isLimited && { apiKeyId: { in: apiKeyId ? [apiKeyId] : [] } }),
  }
}

/** Returns the ids of the checks that the caller may see whose newest run did not pass. */
export async function findRedChecks(client: Tx, ctx: Ctx): Promise<string[]> {
  const checks = await client.check.findMany({ where: visibleChecks(ctx), select: { id: true } })
  const last = await readLast(
    client,
    ctx,
    checks.map(({ id }) => id),
  )
  return [...last].flatMap(([id, { verdict }]) =>
    verdict === 'failed' || verdict === 'not-run' ? [id] : [],
  )
}

async function readLast(client: Tx, ctx: Ctx, checkIds: readonly string[]) {
  const last = new Map<string, NonNullable<CheckListing['last']>>()
  if (checkIds.length === 0) return last
  const newest = await client.checkResult.findMany({
    where: { checkId: { in: [...checkIds] }, checkRun: visibleCheckRuns(ctx) },
    distinct: ['checkId'],
    orderBy: [{ checkId: 'asc' }, { checkRun: { createdAt: 'desc' } }],
    select: { checkId: true, checkRunId: true, checkRun: { select: { createdAt: true } } },
  })
  const tries = await client.checkResult.findMany({
    where: {
      checkId: { in: [...checkIds] },
      checkRunId: { in: newest.map(({ checkRunId }) => checkRunId) },
    },
    select: {
      checkId: true,
      checkRunId: true,
      configurationId: true,
      verdict: true,
      passes: true,
    },
  })
  const keyOf = (each: { checkId: string; checkRunId: string }) =>
    `${each.checkId} ${each.checkRunId}`
  const byRun = new Map<string, typeof tries>()
  for (const each of tries) byRun.set(keyOf(each), [...(byRun.get(keyOf(each)) ?? []), each])
  for (const { checkId, checkRunId, checkRun } of newest) {
    const own = byRun.get(keyOf({ checkId, checkRunId })) ?? []
    const verdict = verdictOf(own.map((each) => ({ ...each, verdict: toVerdict(each.verdict) })))
    last.set(checkId, { checkRunId, verdict, at: checkRun.createdAt.toISOString() })
  }
  return last
}

/** Returns a stored verdict; null = it has none yet. */
export function toVerdict(text: string | null): CheckVerdict | null {
  return CheckVerdict.nullable().parse(text)
}

/** Returns the assertions of a check. */
export function toAssertions({ assertions }: { assertions: string }): Assertion[] {
  return Assertions.parse(JSON.parse(assertions))
}

export type ListedRow = Omit<CheckRow, 'recordings' | 'prompt'>

function listingOf(ctx: Ctx, row: ListedRow): Omit<CheckListing, 'last'> {
  const { configuration, configurationId, configurationName, groups, createdBy } = row
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    configuration: { id: configurationId, name: configuration?.name ?? configurationName },
    assertionCount: toAssertions(row).length,
    tries: row.tries,
    passes: row.passes,
    groups: groupsOf(groups),
    suites: row.suites,
    mayEdit: mayEditCheck(ctx, row),
    createdByLabel: createdBy?.email ?? row.createdByLabel,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Returns a check with everything but the texts of its recorded results. */
export function detailOf(ctx: Ctx, row: CheckRow): CheckDetail {
  const { sources, recordings } = definitionOf(row)
  return {
    ...listingOf(ctx, row),
    ...definitionOf(row),
    runId: row.runId,
    task: row.task && row.taskId ? { id: row.taskId, name: row.task.name } : null,
    sources,
    recordings: recordings.map(({ name, argumentsText, outcome }) => ({
      tool: name,
      argumentsText,
      outcome: outcome.type,
      characters: outcome.type === 'ok' ? outcome.content.length : null,
    })),
    leftOut: row.leftOut,
    assertions: toAssertions(row),
  }
}

/** Returns what the runs of a check begin with. */
export function definitionOf(row: CheckRow) {
  return {
    prompt: row.prompt,
    files: row.files.map(({ file, dataClass }) => ({
      ...file,
      dataClass: FileDataClass.parse(dataClass),
    })),
    tools: z.array(z.string()).nullable().parse(row.tools),
    maxRounds: row.maxRounds,
    overrides: RunOverrides.nullable().parse(row.overrides),
    outputSchema: StoredSchema.parse(row.outputSchema),
    costCap: OwnCostCap.nullable().parse(row.costCap),
    sources: CheckSources.parse(row.sources),
    recordings: StoredRecordings.parse(row.recordings),
  }
}
