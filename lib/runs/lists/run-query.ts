import 'server-only'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { callFact, recordedAs } from '@/lib/protocol/run/call-facts'
import { visibleRuns } from '@/lib/runs/require-run'
import type { RunFilter, RunSortKey } from '@/lib/runs/schemas'
import { type SortDirection, sortParts } from '@/lib/shape/sort-order'
import { periodStart } from '@/lib/words/zone-days'

/** Maximum counts. Texts and records are in no index and are read for each matching run, so fewer are counted. */
const countedAtMost = { byIndex: 10_000, byReading: 1_000 }

/** Filters that select runs. */
export type RunCondition = Omit<RunFilter, 'page' | 'pageSize' | 'cursor' | 'sort'>

/** Returns up to how many runs of this filter are counted. */
export function mostCounted(filter: RunCondition): number {
  const isRead = Boolean(filter.search) || ofRecords(filter).length > 0
  return isRead ? countedAtMost.byReading : countedAtMost.byIndex
}

/** Returns the condition on the runs that the caller may see and that fit the filter. */
export async function runConditions(ctx: Ctx, filter: RunCondition): Promise<Prisma.RunWhereInput> {
  const found = filter.search ? [await matches(filter.search)] : []
  return {
    AND: [
      visibleRuns(ctx),
      ofRow(filter),
      ...ofTime(filter),
      ...ofTag(filter),
      ...(await ofCalls(filter)),
      ...ofRecords(filter),
      ...found,
    ],
  }
}

function ofRow(filter: RunCondition): Prisma.RunWhereInput {
  const { status, reason, configuration, task, apiKey, user, source } = filter
  const cost = between(filter.minCost, filter.maxCost)
  const seconds = between(filter.minSeconds, filter.maxSeconds)
  return {
    ...(status && { status }),
    ...(reason && { endReason: reason }),
    ...(configuration && { configurationId: configuration }),
    ...(task && { taskId: task }),
    ...(apiKey && { apiKeyId: apiKey }),
    ...(user && { userId: user }),
    ...(source && { source }),
    ...(cost && { costMicroUsd: mapped(cost, (usd) => BigInt(Math.round(usd * 1_000_000))) }),
    ...(seconds && { durationMs: mapped(seconds, (each) => Math.round(each * 1_000)) }),
  }
}

type Range<T> = { gte?: T; lte?: T }

/** Returns the range with both its ends included; null = it has none. */
function between(least: number | undefined, most: number | undefined): Range<number> | null {
  if (least === undefined && most === undefined) return null
  return { ...(least !== undefined && { gte: least }), ...(most !== undefined && { lte: most }) }
}

function mapped<T>({ gte, lte }: Range<number>, stored: (figure: number) => T): Range<T> {
  return {
    ...(gte !== undefined && { gte: stored(gte) }),
    ...(lte !== undefined && { lte: stored(lte) }),
  }
}

function ofTime({ from, to, period, zone }: RunCondition): Prisma.RunWhereInput[] {
  return [
    ...(period ? [{ createdAt: { gte: periodStart(period, zone ?? 'UTC', new Date()) } }] : []),
    ...(from ? [{ createdAt: { gte: new Date(from) } }] : []),
    ...(to ? [{ createdAt: { lt: new Date(to) } }] : []),
  ]
}

/** Returns the condition on a tag. Only runs that have any are in the index of tags, which PostgreSQL reads when the condition says so. */
function ofTag({ tag }: RunCondition): Prisma.RunWhereInput[] {
  return tag ? [{ tags: { has: tag } }, { tags: { isEmpty: false } }] : []
}

/** Returns the conditions on what the row of a run says about its calls, which is complete when it has ended. */
async function ofCalls(filter: RunCondition): Promise<Prisma.RunWhereInput[]> {
  const fact = isTimed(filter) ? null : callFact(filter)
  const open = fact === null ? [] : await openRunsWithCall(filter)
  // Runs whose calls are rolled up are in an index of their facts; the others are few.
  const noted = [true, false].map((callsRolledUp) => ({ callsRolledUp, callFacts: { has: fact } }))
  return [
    ...(fact === null ? [] : [{ OR: [...noted, { id: { in: open } }] }]),
    ...(filter.failure ? [{ failed: true }] : []),
  ]
}

/** Returns the runs that go on and have such a call. They are few, and looked up first as the names of a search are. */
async function openRunsWithCall(filter: RunCondition): Promise<string[]> {
  const runs = await db().run.findMany({
    where: { status: { in: ['running', 'waiting'] }, callRecords: { some: callOf(filter) } },
    select: { id: true },
  })
  return runs.map(({ id }) => id)
}

function callOf({ tool, outcome, gate }: RunCondition): Prisma.CallRecordWhereInput {
  return {
    ...(tool && { toolName: tool }),
    ...(outcome && { outcome: { in: [...recordedAs[outcome]] } }),
    ...(gate && { gate }),
  }
}

function isTimed({ usedFrom, usedTo }: RunCondition): boolean {
  return Boolean(usedFrom ?? usedTo)
}

/**
 * Matches runs with one model request that fits model, connection and time. With a fact about calls, the time is that of
 * the calls, as in the usage of tools.
 */
function ofRecords(filter: RunCondition): Prisma.RunWhereInput[] {
  const { model, connection, usedFrom, usedTo } = filter
  const during = {
    ...(usedFrom && { gte: new Date(usedFrom) }),
    ...(usedTo && { lt: new Date(usedTo) }),
  }
  const timed = isTimed(filter) ? { at: during } : {}
  const ofCall = isTimed(filter) && callFact(filter) !== null
  const request = {
    ...(model && { modelRecordId: model }),
    ...(connection && { connectionId: connection }),
    ...(!ofCall && timed),
  }
  const call = { ...callOf(filter), ...timed }
  return [
    ...(Object.keys(request).length > 0 ? [{ usageRecords: { some: request } }] : []),
    ...(ofCall ? [{ callRecords: { some: call } }] : []),
  ]
}

/**
 * Returns the condition of a search. Names are looked up first, so that each part is a condition on the row of a run.
 * Prompts of runs that are rolled up are in an index; the others are few.
 */
async function matches(search: string): Promise<Prisma.RunWhereInput> {
  const contains = {
    contains: search.replace(/[\\%_]/g, '\\$&'),
    mode: Prisma.QueryMode.insensitive,
  }
  const named = { OR: [{ name: contains }, { identifier: contains }] }
  const select = { id: true } as const
  const [users, configurations, tasks] = await Promise.all([
    db().user.findMany({ where: { email: contains }, select }),
    db().configuration.findMany({ where: named, select }),
    db().task.findMany({ where: named, select }),
  ])
  const among = (rows: { id: string }[]) => ({ in: rows.map(({ id }) => id) })
  return {
    OR: [
      { rolledUp: true, prompt: contains },
      { rolledUp: false, prompt: contains },
      ...(users.length > 0 ? [{ userId: among(users) }] : []),
      ...(configurations.length > 0 ? [{ configurationId: among(configurations) }] : []),
      ...(tasks.length > 0 ? [{ taskId: among(tasks) }] : []),
    ],
  }
}

/** Returns the order of a list. */
export function orderOf(sort: RunFilter['sort']): Prisma.RunOrderByWithRelationInput[] {
  const { key, direction } = sortParts(sort)
  return [...columns[key](direction), { createdAt: 'desc' }, { id: 'desc' }]
}

/** Runs without a cost come last in both directions; a run without a duration yet counts as the longest. */
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
