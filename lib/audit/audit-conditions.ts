import { Prisma } from '../generated/prisma/client'
import type { AuditFilter } from './audit-filter'

/** What makes an entry of `audit_entries` fit, without the cursor: something to write after WHERE. */
export function auditConditions(filter: AuditFilter): Prisma.Sql {
  const { kind, actor, actorId, action, objectType, objectId, from, to } = filter
  const conditions = [Prisma.sql`true`]
  if (kind === 'change') conditions.push(Prisma.sql`"refusalKey" IS NULL`)
  if (kind === 'refusal') conditions.push(Prisma.sql`"refusalKey" IS NOT NULL`)
  if (actor) conditions.push(Prisma.sql`"actorLabel" ILIKE ${containing(actor)}`)
  if (actorId) conditions.push(Prisma.sql`"actorId" = ${actorId}::uuid`)
  if (action) conditions.push(Prisma.sql`"action" = ${action}`)
  if (objectType) conditions.push(Prisma.sql`"objectType" = ${objectType}`)
  if (objectId) conditions.push(Prisma.sql`"objectId" = ${objectId}`)
  if (from) conditions.push(Prisma.sql`"at" >= ${inUtc(from)}::timestamp`)
  if (to) conditions.push(Prisma.sql`"at" < ${inUtc(to)}::timestamp`)
  return Prisma.join(conditions, ' AND ')
}

function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** The column has no zone and holds UTC. */
function inUtc(moment: string): string {
  return new Date(moment).toISOString()
}
