import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { splitOf, stepText } from './split-of'
import { usageConditions } from './usage-conditions'
import { figureColumns, UsageFigures } from './usage-figures'
import type { UsageScope, UsageSplit } from './usage-filter'
import type { UsageWindow } from './usage-window'

/** What one part used in one step; `part` null = all the parts that have no colour of their own. */
export const UsagePoint = UsageFigures.extend({ at: z.string(), part: z.string().nullable() })
export type UsagePoint = z.infer<typeof UsagePoint>

/**
 * Usage step by step for the parts named in `keys` (by their label where they have no key), and the rest together. Steps without any usage are missing. `at` is
 * the step's beginning, ISO text in UTC. Admins only.
 */
export async function readUsageSeries(
  ctx: Ctx,
  by: Exclude<UsageSplit, 'tool'>,
  keys: readonly string[],
  window: UsageWindow,
  scope: UsageScope,
): Promise<UsagePoint[]> {
  requireRole(ctx, 'admin')
  const { key, label, joins } = splitOf(by, window.step)
  const name = Prisma.sql`coalesce(${key}, ${label})`
  const rows = await db().$queryRaw<unknown[]>`
    SELECT ${stepText(window.step)} AS at,
      CASE WHEN ${name} = ANY(${keys}::text[]) THEN ${name} END AS part,
      ${figureColumns}
    FROM usage_records r ${joins}
    WHERE ${usageConditions(window, scope)}
    GROUP BY 1, 2
    ORDER BY 1`
  return z.array(UsagePoint).parse(rows)
}
