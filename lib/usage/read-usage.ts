import { z } from 'zod'
import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { Prisma } from '../generated/prisma/client'
import { splitOf } from './split-of'
import { usageConditions } from './usage-conditions'
import { figureColumns, UsageFigures } from './usage-figures'
import type { UsageScope, UsageSplit } from './usage-filter'
import type { UsageWindow } from './usage-window'

/** One part of usage. `key` is the id of what it is, null when that is not known any more; ISO text for days. */
export const UsagePart = UsageFigures.extend({
  key: z.string().nullable(),
  label: z.string(),
  detail: z.string().nullable(),
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
 * The same for each model, connection, configuration, user or day: the dearest first, days the newest first. At most
 * 200 parts. Admins only.
 */
export async function readUsageParts(
  ctx: Ctx,
  by: Exclude<UsageSplit, 'tool'>,
  window: UsageWindow,
  scope: UsageScope,
): Promise<UsagePart[]> {
  requireRole(ctx, 'admin')
  const { key, label, detail, joins } = splitOf(by, window.step)
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
    LIMIT ${mostParts}`
  return z.array(UsagePart).parse(rows)
}
