import 'server-only'
import type { Ctx } from '@/lib/context'
import { db } from '@/lib/db'
import { Prisma } from '@/lib/generated/prisma/client'
import { FailureCategory } from '@/lib/protocol/failure'
import { type SortDirection, sortParts } from '@/lib/protocol/sort-order'
import { visibleRuns } from './require-run'
import { toEndReason, toSource } from './run-record'
import { type RunFilter, RunRequest, type RunRow, type RunSortKey } from './schemas'

const excerptCharacters = 200

/** One page of runs the caller may see, and how many match in all. */
export async function listRuns(
  ctx: Ctx,
  filter: RunFilter,
): Promise<{ rows: RunRow[]; total: number }> {
  const where = whereOf(ctx, filter)
  const [runs, total] = await Promise.all([
    db().run.findMany({
      where,
      orderBy: orderOf(filter.sort),
      skip: (filter.page - 1) * filter.pageSize,
      take: filter.pageSize,
      include: withNames,
    }),
    db().run.count({ where }),
  ])
  return { rows: runs.map(toRow), total }
}

function whereOf(ctx: Ctx, filter: RunFilter): Prisma.RunWhereInput {
  const conditions: Prisma.RunWhereInput[] = [visibleRuns(ctx)]
  if (filter.status) conditions.push({ status: filter.status })
  if (filter.reason) conditions.push({ endReason: filter.reason })
  if (filter.configuration) conditions.push({ configurationId: filter.configuration })
  if (filter.task) conditions.push({ taskId: filter.task })
  conditions.push(...usedBy(filter))
  if (filter.from) conditions.push({ createdAt: { gte: new Date(filter.from) } })
  if (filter.to) conditions.push({ createdAt: { lt: new Date(filter.to) } })
  if (filter.user) conditions.push({ userId: filter.user })
  if (filter.search) conditions.push(matches(filter.search))
  return { AND: conditions }
}

/**
 * What usage counted the run for: one request that fits model, connection and time. With a tool, the time is that of its
 * calls, as in the usage of tools.
 */
function usedBy(filter: RunFilter): Prisma.RunWhereInput[] {
  const { tool, model, connection, usedFrom, usedTo } = filter
  const during = {
    ...(usedFrom && { gte: new Date(usedFrom) }),
    ...(usedTo && { lt: new Date(usedTo) }),
  }
  const timed = usedFrom || usedTo ? { at: during } : {}
  const request = {
    ...(model && { modelRecordId: model }),
    ...(connection && { connectionId: connection }),
    ...(!tool && timed),
  }
  const asked = Object.keys(request).length > 0 ? [{ usageRecords: { some: request } }] : []
  return tool ? [...asked, { callRecords: { some: { toolName: tool, ...timed } } }] : asked
}

function matches(search: string): Prisma.RunWhereInput {
  const contains = {
    contains: search.replace(/[\\%_]/g, '\\$&'),
    mode: Prisma.QueryMode.insensitive,
  }
  return {
    OR: [
      { prompt: contains },
      { user: { email: contains } },
      { configuration: { OR: [{ name: contains }, { identifier: contains }] } },
      { task: { OR: [{ name: contains }, { identifier: contains }] } },
    ],
  }
}

function orderOf(sort: RunFilter['sort']): Prisma.RunOrderByWithRelationInput[] {
  const { key, direction } = sortParts(sort)
  return [...columns[key](direction), { createdAt: 'desc' }, { id: 'desc' }]
}

/** What has no cost goes last either way; what has no duration yet takes the longest. */
const columns = {
  started: (way) => [{ createdAt: way }, { id: way }],
  configuration: (way) => [{ configuration: { name: way } }],
  user: (way) => [{ user: { email: way } }],
  rounds: (way) => [{ rounds: way }],
  calls: (way) => [{ calls: way }],
  tokens: (way) => [{ inputTokens: way }, { outputTokens: way }],
  cost: (way) => [{ costMicroUsd: { sort: way, nulls: 'last' } }],
  duration: (way) => [{ durationMs: { sort: way, nulls: way === 'desc' ? 'first' : 'last' } }],
} satisfies Record<RunSortKey, (way: SortDirection) => Prisma.RunOrderByWithRelationInput[]>

const withNames = {
  user: { select: { email: true } },
  configuration: { select: { name: true } },
  task: { select: { id: true, name: true } },
  usageRecords: {
    where: { errorCategory: { not: null } },
    select: { errorCategory: true, connectionId: true, modelRecordId: true },
    orderBy: { at: 'desc' },
    take: 1,
  },
} as const satisfies Prisma.RunInclude

function wordFor(request: Prisma.JsonValue): string {
  const kind = RunRequest.safeParse(request).data?.kind
  return kind === 'model-test' ? 'test of a model' : 'deleted configuration'
}

type RunWithNames = Prisma.RunGetPayload<{ include: typeof withNames }>

/** The last request that failed is the one that ended a run of these reasons. */
function failureOf({ endReason, usageRecords: [last] }: RunWithNames): RunRow['failure'] {
  const category = FailureCategory.safeParse(last?.errorCategory).data
  const { connectionId, modelRecordId } = last ?? {}
  if (endReason !== 'provider-error' && endReason !== 'context') return null
  return category && connectionId && modelRecordId
    ? { category, connectionId, modelRecordId }
    : null
}

function toRow(run: RunWithNames): RunRow {
  return {
    runId: run.id,
    status: run.status,
    endReason: toEndReason(run.endReason),
    truncated: run.truncated,
    notStarted: run.notStarted,
    failure: failureOf(run),
    prompt: run.prompt.slice(0, excerptCharacters),
    configurationId: run.configurationId,
    configurationName: run.configuration?.name ?? wordFor(run.request),
    task: run.task,
    userEmail: run.user.email,
    source: toSource(run.source),
    rounds: run.rounds,
    calls: run.calls,
    inputTokens: run.inputTokens,
    outputTokens: run.outputTokens,
    costMicroUsd: run.costMicroUsd === null ? null : Number(run.costMicroUsd),
    createdAt: run.createdAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
  }
}
