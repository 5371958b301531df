import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { type SplitColumns, splitOf } from './split-of'
import { usageConditions } from './usage-conditions'
import { figureColumns, UsageFigures } from './usage-figures'
import type { UsageScope, UsageSplit } from './usage-filter'
import type { UsageWindow } from './usage-window'

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

/** All usage records of a window, added up. Admins only. */
export async function readUsageTotals(
  ctx: Ctx,
  window: UsageWindow,
  scope: UsageScope,
): Promise<UsageFigures> {
  requireRole(ctx, 'admin')
  const rows = await db().$queryRaw<unknown[]>`
    SELECT ${figureColumns} FROM usage_records r WHERE ${usageConditions(window, scope)}`
  return UsageFigures.parse(rows[0])
}

const mostParts = 200

/**
 * The same for each model, connection, configuration, user or day: the dearest first, days the newest first. What is
 * beyond 200 parts comes last as one, so that the parts always add up to the totals. Admins only.
 */
export async function readUsageParts(
  ctx: Ctx,
  by: Exclude<UsageSplit, 'tool'>,
  window: UsageWindow,
  scope: UsageScope,
): Promise<UsagePart[]> {
  requireRole(ctx, 'admin')
  const split = splitOf(by, window.step)
  const { key, label, detail, joins } = split
  const order =
    by === 'day'
      ? Prisma.sql`key DESC`
      : Prisma.sql`"costMicroUsd" DESC, "inputTokens" DESC, label, key`
  const rows = await db().$queryRaw<unknown[]>`
    SELECT ${key} AS key, ${label} AS label, ${detail} AS detail, ${figureColumns}
    FROM usage_records r ${joins}
    WHERE ${usageConditions(window, scope)}
    GROUP BY 1, 2, 3
    ORDER BY ${order}
    LIMIT ${mostParts + 1}`
  const parts = z.array(UsagePart).parse(rows)
  if (parts.length <= mostParts) return parts
  const shown = parts.slice(0, mostParts)
  return [...shown, await readRest(split, shown, window, scope)]
}

/** Runs and latencies of several parts cannot be had from their figures, so the records are asked. */
async function readRest(
  { key, label, detail, joins }: SplitColumns,
  shown: readonly UsagePart[],
  window: UsageWindow,
  scope: UsageScope,
): Promise<UsagePart> {
  const named = JSON.stringify(shown.map((part) => [part.key, part.label, part.detail]))
  const part = Prisma.sql`jsonb_build_array(${key}, ${label}, ${detail})`
  const rows = await db().$queryRaw<unknown[]>`
    SELECT NULL AS key, 'All others' AS label, count(DISTINCT ${part}) || ' more' AS detail, true AS rest,
      ${figureColumns}
    FROM usage_records r ${joins}
    WHERE ${usageConditions(window, scope)}
      AND ${part} NOT IN (SELECT jsonb_array_elements(${named}::jsonb))`
  return UsagePart.parse(rows[0])
}
