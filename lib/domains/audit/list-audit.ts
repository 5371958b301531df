import { type AuditEntry, Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import type { AuditFilter } from './audit-filter'
import { type AuditRow, toAuditRow } from './audit-row'

const countedAtMost = 10_000

export type AuditPage = { rows: AuditRow[]; nextCursor: string | null }

/** The number of matching entries. From 10,000 on, `capped` says that there are more, which are not counted. */
export type AuditTotal = { total: number; capped: boolean }

/**
 * Returns the matching entries after the cursor, newest first. `nextCursor` null = there are no more. An unknown cursor
 * gives an empty page. Admins only.
 */
export async function listAudit(ctx: Ctx, filter: AuditFilter): Promise<AuditPage & AuditTotal> {
  requireRole(ctx, 'admin')
  const [page, total] = await Promise.all([readAuditPage(filter), countAudit(filter)])
  return { ...page, ...total }
}

/** Returns only the page, without the count. The caller has checked the role. */
export async function readAuditPage(filter: AuditFilter): Promise<AuditPage> {
  // Ids are made in order of time, and break the tie between entries of one transaction. Compared as a pair, so that
  // an index finds the place of the cursor however far back it is.
  const entries = await db().$queryRaw<AuditEntry[]>`
    SELECT * FROM audit_entries
    WHERE ${auditConditions(filter)} AND ${afterCursor(filter.cursor)}
    ORDER BY "at" DESC, "id" DESC LIMIT ${filter.limit + 1}`
  const rows = entries.slice(0, filter.limit).map(toAuditRow)
  const nextCursor = entries.length > filter.limit ? (rows.at(-1)?.id ?? null) : null
  return { rows, nextCursor }
}

function afterCursor(cursor: string | undefined): Prisma.Sql {
  if (!cursor) return Prisma.sql`true`
  return Prisma.sql`("at", "id") < (
    SELECT seen."at", seen."id" FROM audit_entries seen WHERE seen."id" = ${cursor}::uuid)`
}

async function countAudit(filter: AuditFilter): Promise<AuditTotal> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM audit_entries WHERE ${auditConditions(filter)} LIMIT ${countedAtMost + 1}
    ) AS fitting`
  const count = row?.count ?? 0
  return { total: Math.min(count, countedAtMost), capped: count > countedAtMost }
}

/** Returns the condition on entries of `audit_entries`, without the cursor, for a WHERE clause. */
function auditConditions(filter: AuditFilter): Prisma.Sql {
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

/** Returns the time in UTC, because the column has no time zone. */
function inUtc(moment: string): string {
  return new Date(moment).toISOString()
}

/** Returns the actions and kinds of objects that occur, as choices of the filter. Admins only. */
export async function listAuditWords(
  ctx: Ctx,
): Promise<{ actions: string[]; objectTypes: string[] }> {
  requireRole(ctx, 'admin')
  const [actions, objectTypes] = await Promise.all([wordsOf('action'), wordsOf('objectType')])
  return { actions, objectTypes }
}

/** Jumps from each word to the next in the column's index, so it takes one step per word and not one per row. */
async function wordsOf(name: 'action' | 'objectType'): Promise<string[]> {
  const column = Prisma.raw(`"${name}"`)
  const rows = await db().$queryRaw<{ word: string }[]>`
    WITH RECURSIVE words(word) AS (
      (SELECT ${column} FROM audit_entries ORDER BY ${column} LIMIT 1)
      UNION ALL
      SELECT (SELECT ${column} FROM audit_entries WHERE ${column} > words.word ORDER BY ${column} LIMIT 1)
      FROM words WHERE words.word IS NOT NULL
    )
    SELECT word FROM words WHERE word IS NOT NULL ORDER BY word`
  return rows.map(({ word }) => word)
}
