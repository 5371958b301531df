import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { Prisma } from '../generated/prisma/client'
import type { AuditFilter } from './audit-filter'
import { type AuditRow, toAuditRow } from './audit-row'

/**
 * Changes that fit, newest first, from behind the cursor on. `nextCursor` null = that was all; `total` counts all
 * that fit. An unknown cursor gives an empty page. Admins only.
 */
export async function listAudit(
  ctx: Ctx,
  filter: AuditFilter,
): Promise<{ rows: AuditRow[]; nextCursor: string | null; total: number }> {
  requireRole(ctx, 'admin')
  const [page, total] = await Promise.all([
    readAuditPage(filter),
    db().auditEntry.count({ where: whereOf(filter) }),
  ])
  return { ...page, total }
}

/** The page alone, without the count. Whoever calls it has checked the role. */
export async function readAuditPage(
  filter: AuditFilter,
): Promise<{ rows: AuditRow[]; nextCursor: string | null }> {
  const entries = await db().auditEntry.findMany({
    where: whereOf(filter),
    // Ids are made in order of time, and break the tie between entries of one transaction.
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: filter.limit + 1,
    ...(filter.cursor && { cursor: { id: filter.cursor }, skip: 1 }),
  })
  const rows = entries.slice(0, filter.limit).map(toAuditRow)
  const nextCursor = entries.length > filter.limit ? (rows.at(-1)?.id ?? null) : null
  return { rows, nextCursor }
}

function whereOf(filter: AuditFilter): Prisma.AuditEntryWhereInput {
  const conditions: Prisma.AuditEntryWhereInput[] = []
  if (filter.actor) conditions.push({ actorLabel: containing(filter.actor) })
  if (filter.actorId) conditions.push({ actorId: filter.actorId })
  if (filter.action) conditions.push({ action: filter.action })
  if (filter.objectType) conditions.push({ objectType: filter.objectType })
  if (filter.objectId) conditions.push({ objectId: filter.objectId })
  if (filter.from) conditions.push({ at: { gte: new Date(filter.from) } })
  if (filter.to) conditions.push({ at: { lt: new Date(filter.to) } })
  return { AND: conditions }
}

function containing(text: string): Prisma.StringFilter<'AuditEntry'> {
  return { contains: text.replace(/[\\%_]/g, '\\$&'), mode: Prisma.QueryMode.insensitive }
}
