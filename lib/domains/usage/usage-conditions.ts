import { Prisma } from '../../generated/prisma/client'
import type { UsageScope } from './usage-filter'
import type { UsageWindow } from './usage-window'

type Span = Pick<UsageWindow, 'from' | 'to'>

/** What makes a row of `usage_records r` count: something to write after WHERE. */
export function usageConditions(span: Span, scope: UsageScope): Prisma.Sql {
  const { user, configuration, model, connection } = scope
  const conditions = during(span)
  if (user) conditions.push(Prisma.sql`r."userId" = ${user}::uuid`)
  if (configuration) conditions.push(Prisma.sql`r."configurationId" = ${configuration}::uuid`)
  if (model) conditions.push(Prisma.sql`r."modelRecordId" = ${model}::uuid`)
  if (connection) conditions.push(Prisma.sql`r."connectionId" = ${connection}::uuid`)
  return Prisma.join(conditions, ' AND ')
}

/** The same for `call_records r`; calls of a run count for a model when the run asked it. */
export function callConditions(span: Span, scope: UsageScope): Prisma.Sql {
  const { user, configuration, model, connection } = scope
  const conditions = during(span)
  if (user) conditions.push(Prisma.sql`r."userId" = ${user}::uuid`)
  if (configuration) conditions.push(Prisma.sql`r."configurationId" = ${configuration}::uuid`)
  if (model || connection) conditions.push(asked(scope))
  return Prisma.join(conditions, ' AND ')
}

/** One request to both: a model may have been asked at another connection, too. */
function asked({ model, connection }: UsageScope): Prisma.Sql {
  const conditions = [Prisma.sql`used."runId" = r."runId"`]
  if (model) conditions.push(Prisma.sql`used."modelRecordId" = ${model}::uuid`)
  if (connection) conditions.push(Prisma.sql`used."connectionId" = ${connection}::uuid`)
  return Prisma.sql`EXISTS (
    SELECT 1 FROM usage_records used WHERE ${Prisma.join(conditions, ' AND ')})`
}

/** The column has no zone and holds UTC. */
function during({ from, to }: Span): Prisma.Sql[] {
  return [
    Prisma.sql`r.at >= ${from.toISOString()}::timestamp`,
    Prisma.sql`r.at < ${to.toISOString()}::timestamp`,
  ]
}
