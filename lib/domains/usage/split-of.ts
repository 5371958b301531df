import { Prisma } from '../../generated/prisma/client'
import type { UsageSplit } from './usage-filter'
import type { UsageStep } from './usage-window'

/** What one part is known by, and what people call it; `detail` says more where names repeat. */
export type SplitColumns = {
  key: Prisma.Sql
  label: Prisma.Sql
  detail: Prisma.Sql
  joins: Prisma.Sql
}

const none = Prisma.sql`NULL`

/** The split of `usage_records r` as parts of a query. Things that are gone keep their figures, not their names. */
export function splitOf(by: Exclude<UsageSplit, 'tool'>, step: UsageStep): SplitColumns {
  switch (by) {
    case 'model':
      return {
        key: Prisma.sql`r."modelRecordId"::text`,
        label: Prisma.sql`coalesce(m."displayName", r."modelId")`,
        detail: Prisma.sql`coalesce(k.name, 'a connection that was deleted')`,
        joins: Prisma.sql`LEFT JOIN models m ON m.id = r."modelRecordId"
          LEFT JOIN connections k ON k.id = r."connectionId"`,
      }
    case 'connection':
      return {
        key: Prisma.sql`r."connectionId"::text`,
        label: Prisma.sql`coalesce(k.name, 'Deleted connections')`,
        detail: none,
        joins: Prisma.sql`LEFT JOIN connections k ON k.id = r."connectionId"`,
      }
    case 'configuration':
      return {
        key: Prisma.sql`c.id::text`,
        label: Prisma.sql`coalesce(c.name,
          CASE WHEN r."configurationId" IS NULL THEN 'Tests of models' ELSE 'Deleted configurations' END)`,
        detail: none,
        joins: Prisma.sql`LEFT JOIN configurations c ON c.id = r."configurationId"`,
      }
    case 'user':
      return {
        key: Prisma.sql`r."userId"::text`,
        label: Prisma.sql`coalesce(u.email, 'Deleted people')`,
        detail: none,
        joins: Prisma.sql`LEFT JOIN users u ON u.id = r."userId"`,
      }
    case 'day':
      return {
        key: stepText(step),
        label: stepText(step),
        detail: none,
        joins: Prisma.empty,
      }
    default:
      return by satisfies never
  }
}

/** The beginning of a record's step, as ISO text in UTC. */
export function stepText(step: UsageStep): Prisma.Sql {
  return Prisma.sql`to_char(date_trunc(${step}::text, r.at), 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')`
}
