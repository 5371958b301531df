import { z } from 'zod'
import { isLimitedKey } from '@/lib/domains/rows/runs-within-key'
import { verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ForbiddenError } from '@/lib/kernel/errors'
import { callQuery } from './call-sql'
import { costWords } from './shared/cost-words'
import { UsageFigures } from './shared/usage-figures'
import { UsageFilter, type UsageMeasure, type UsageScope, type UsageSplit } from './usage-filter'
import { figureQuery, splitOf, stepText } from './usage-sql'
import { type UsageWindow, usageWindow, windowBefore } from './usage-window'

const figure = z.coerce.number()

/**
 * One part of usage. `key` is the id of what it is, null when that is not known any more; ISO text for days. `rest`: all
 * the parts together that have no row of their own.
 */
export const UsagePart = UsageFigures.extend({
  key: z.string().nullable(),
  label: z.string(),
  detail: z.string().nullable(),
  rest: z.boolean().default(false),
})
export type UsagePart = z.infer<typeof UsagePart>

/** Returns the sums over all usage records of a window. Admins only. */
export async function readUsageTotals(
  ctx: Ctx,
  window: UsageWindow,
  scope: UsageScope,
): Promise<UsageFigures> {
  requireRole(ctx, 'admin')
  const rows = await db().$queryRaw<unknown[]>(
    figureQuery({ window, scope, step: null, groups: {} }),
  )
  return UsageFigures.parse(rows[0])
}

const mostParts = 200

/**
 * Returns the sums for each model, connection, configuration or user, most expensive first, or for each day, newest
 * first. Parts beyond the first 200 are added up in the last row, so that the parts always add up to the totals. Admins
 * only.
 */
export async function readUsageParts(
  ctx: Ctx,
  by: Exclude<UsageSplit, 'tool'>,
  window: UsageWindow,
  scope: UsageScope,
): Promise<UsagePart[]> {
  requireRole(ctx, 'admin')
  const { joins, ...groups } = splitOf(by, window.step)
  const query = { window, scope, by, joins, step: by === 'day' ? window.step : null }
  const order =
    by === 'day'
      ? Prisma.sql`key DESC`
      : Prisma.sql`"costMicroUsd" DESC, "inputTokens" DESC, label, key`
  const rows = await db().$queryRaw<unknown[]>`
    ${figureQuery({ ...query, groups })} ORDER BY ${order} LIMIT ${mostParts}`
  const parts = z.array(UsagePart).parse(rows)
  const others = Counted.parse(rows[0]).parts - parts.length
  if (others === 0) return parts
  // The rows are read again: runs and latencies of several parts cannot be computed from their figures.
  const named = JSON.stringify(parts.map((part) => [part.key, part.label, part.detail]))
  const { key, label, detail } = groups
  const only = Prisma.sql`jsonb_build_array(${key}, ${label}, ${detail})
    NOT IN (SELECT jsonb_array_elements(${named}::jsonb))`
  const [rest] = await db().$queryRaw<unknown[]>(figureQuery({ ...query, groups: {}, only }))
  const names = { key: null, label: 'All others', detail: `${others} more`, rest: true }
  return [...parts, { ...UsageFigures.parse(rest), ...names }]
}

const Counted = z.object({ parts: z.number() }).catch({ parts: 0 })

/** Use of one part in one step of a chart; `part` null: all parts without a colour of their own. */
export const UsagePoint = UsageFigures.extend({
  at: z.string(),
  part: z.string().nullable(),
  runs: figure.nullable(),
})
export type UsagePoint = z.infer<typeof UsagePoint>

/**
 * Returns the usage of each step for the parts named in `keys` (by their label where they have no key), and of the rest
 * together. Steps without usage are missing. `at` is the beginning of the step, ISO text in UTC. Latencies and runs are
 * null unless they are the `measure`. Admins only.
 */
export async function readUsageSeries(
  ctx: Ctx,
  by: Exclude<UsageSplit, 'tool'>,
  keys: readonly string[],
  window: UsageWindow,
  scope: UsageScope,
  measure: UsageMeasure,
): Promise<UsagePoint[]> {
  requireRole(ctx, 'admin')
  const { step } = window
  // Without names there is one part, whatever it is split by.
  const split = keys.length > 0 ? by : 'day'
  const { key, label, joins } = splitOf(split, step)
  const name = Prisma.sql`coalesce(${key}, ${label})`
  const part = Prisma.sql`CASE WHEN ${name} = ANY(${keys}::text[]) THEN ${name} END`
  const query = figureQuery({
    window,
    scope,
    step,
    joins,
    by: split,
    groups: { at: stepText(step), part },
    withLatency: measure === 'latency',
    withRuns: measure === 'runs',
  })
  const rows = await db().$queryRaw<unknown[]>`${query} ORDER BY at, part`
  return z.array(UsagePoint).parse(rows)
}

/**
 * The calls of one tool in a window. `failed` counts calls that ran and failed (failed, timed out, unknown), `denied` those
 * that a gate or a person refused. Latencies are milliseconds of calls that ran; `lastAt` is ISO text in UTC.
 */
export const ToolUsage = z.object({
  toolName: z.string(),
  calls: figure,
  runs: figure,
  ok: figure,
  failed: figure,
  denied: figure,
  invalid: figure,
  p50Ms: figure.nullable(),
  p95Ms: figure.nullable(),
  lastAt: z.string(),
})
export type ToolUsage = z.infer<typeof ToolUsage>

/** Returns every tool that was called in a window, or one of them, the most called first. Admins only. */
export async function readToolUsage(
  ctx: Ctx,
  window: UsageWindow,
  scope: UsageScope,
  toolName?: string,
): Promise<ToolUsage[]> {
  requireRole(ctx, 'admin')
  const groups = { toolName: Prisma.sql`r."toolName"` }
  const query = callQuery({ window, scope, toolName, step: null, groups, runs: 'of-each' })
  const rows = await db().$queryRaw<unknown[]>`${query} ORDER BY calls DESC, 1 LIMIT 1000`
  return z.array(ToolUsage).parse(rows)
}

/** Returns how the calls of a tool went in the last 30 days; null = there were none. Admins only. */
export async function readMonthOfTool(ctx: Ctx, toolName: string): Promise<ToolUsage | null> {
  const window = usageWindow('30d', new Date())
  const [usage = null] = await readToolUsage(ctx, window, {}, toolName)
  return usage
}

/**
 * Returns when each tool was last called, ISO text in UTC. Admins only. It jumps from the last call of each tool to that
 * of the next in an index, so it takes one step per tool and not one per call.
 */
export async function readLastCalls(ctx: Ctx): Promise<Map<string, string>> {
  requireRole(ctx, 'admin')
  const rows = await db().$queryRaw<{ toolName: string; at: Date }[]>`
    WITH RECURSIVE last AS (
      (SELECT "toolName", at FROM call_records ORDER BY "toolName" DESC, at DESC LIMIT 1)
      UNION ALL
      SELECT next.* FROM last CROSS JOIN LATERAL (
        SELECT c."toolName", c.at FROM call_records c WHERE c."toolName" < last."toolName"
        ORDER BY c."toolName" DESC, c.at DESC LIMIT 1) next)
    SELECT "toolName", at FROM last`
  return new Map(rows.map(({ toolName, at }) => [toolName, at.toISOString()]))
}

const ToolPoint = z.object({
  at: z.string(),
  part: z.string().nullable(),
  calls: figure,
  runs: figure.nullable(),
  errors: figure,
  p50Ms: figure.nullable(),
  p95Ms: figure.nullable(),
})
export type ToolPoint = z.infer<typeof ToolPoint>

/**
 * Returns the calls of each step for these tools, and of the rest together. Latencies and runs are null unless they are the
 * `measure`. Admins only.
 */
export async function readToolSeries(
  ctx: Ctx,
  toolNames: readonly string[],
  window: UsageWindow,
  scope: UsageScope,
  measure: UsageMeasure,
): Promise<ToolPoint[]> {
  requireRole(ctx, 'admin')
  const part = Prisma.sql`CASE WHEN r."toolName" = ANY(${toolNames}::text[]) THEN r."toolName" END`
  const groups = { part, at: stepText(window.step) }
  const query = callQuery({
    window,
    scope,
    step: window.step,
    groups,
    withLatency: measure === 'latency',
    runs: measure === 'runs' ? 'of-several' : null,
  })
  const rows = await db().$queryRaw<unknown[]>`${query} ORDER BY at, part`
  return z.array(ToolPoint).parse(rows)
}

type Named = { id: string; name: string }

/** Returns what usage can be filtered by, by name. Admins only. */
export async function listUsageNames(
  ctx: Ctx,
): Promise<Record<'models' | 'connections' | 'configurations' | 'apiKeys', Named[]>> {
  requireRole(ctx, 'admin')
  const select = { id: true, name: true } as const
  const [models, connections, configurations, apiKeys] = await Promise.all([
    db().model.findMany({
      select: { id: true, displayName: true, connection: { select: { name: true } } },
      orderBy: [{ displayName: 'asc' }, { connection: { name: 'asc' } }],
    }),
    db().connection.findMany({ select, orderBy: { name: 'asc' } }),
    db().configuration.findMany({ select, orderBy: { name: 'asc' } }),
    db().apiKey.findMany({
      select: { ...select, user: { select: { email: true } } },
      orderBy: [{ name: 'asc' }, { user: { email: 'asc' } }],
    }),
  ])
  return {
    models: models.map(({ id, displayName, connection }) => ({
      id,
      name: `${displayName} (${connection.name})`,
    })),
    connections,
    configurations,
    apiKeys: apiKeys.map(({ id, name, user }) => ({ id, name: `${name} (${user.email})` })),
  }
}

/** Figures with their cost in words: "at least $0.42" while requests are unpriced, "unpriced" when all are. */
const InWords = { cost: z.string() }
function inWords<Figures extends UsageFigures>(figures: Figures): Figures & { cost: string } {
  return { ...figures, cost: costWords(figures) }
}

const Sums = z.object({
  /** ISO text in UTC. */
  from: z.string(),
  to: z.string(),
  totals: UsageFigures.extend(InWords),
  /** The sums of the period before, which is as long. */
  before: UsageFigures.extend(InWords),
})
/** Usage as programs read it. Costs are micro-USD. A split by tool has `tools`, every other one `parts`. */
const UsageReport = z.union([
  Sums.extend({ parts: z.array(UsagePart.extend(InWords)) }),
  Sums.extend({ tools: z.array(ToolUsage) }),
])

/** Returns the scope for the caller: a limited key reads the usage of its own runs alone (SPEC A7). */
function withinKey(ctx: Ctx, scope: UsageScope): UsageScope {
  if (!isLimitedKey(ctx)) return scope
  if (scope.apiKey !== undefined && scope.apiKey !== ctx.apiKeyId)
    throw new ForbiddenError('A limited API key reads the usage of its own runs alone.')
  return { ...scope, apiKey: ctx.apiKeyId }
}

export const readUsageReport = verb({
  name: 'usage.read',
  role: 'admin',
  scope: 'usage:read',
  summary: 'Returns the usage of a period and of the one before.',
  input: UsageFilter.omit({ measure: true }).strict(),
  output: UsageReport,
  transaction: false,
  run: async ({ ctx }, { period, by, ...scopeInput }) => {
    const scope = withinKey(ctx, scopeInput)
    const window = usageWindow(period, new Date())
    const [totals, before, split] = await Promise.all([
      readUsageTotals(ctx, window, scope),
      readUsageTotals(ctx, windowBefore(period, window), scope),
      by === 'tool'
        ? readToolUsage(ctx, window, scope).then((tools) => ({ tools }))
        : readUsageParts(ctx, by, window, scope).then((parts) => ({ parts: parts.map(inWords) })),
    ])
    return {
      from: window.from.toISOString(),
      to: window.to.toISOString(),
      totals: inWords(totals),
      before: inWords(before),
      ...split,
    }
  },
})
