import 'server-only'
import { z } from 'zod'
import { isLimitedKey, runsWithinKeySql } from '@/lib/domains/rows/runs-within-key'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { rowsPerPage } from '@/lib/shape/resource'
import { cleanText, firstWords } from '@/lib/words/clean-text'

const what = 'This conversation'
const mostTitle = 100

const Title = z
  .string()
  .transform((text) => cleanText(text).trim())
  .pipe(z.string().min(1, 'Enter a name.').max(mostTitle, `At most ${mostTitle} characters.`))

/**
 * Runs that continue one another. `id` is that of the first one. `title`: what its person calls it, else the first words of its
 * first prompt. `newest`: its newest turn. Costs in micro-USD; null = at least one turn is unpriced.
 */
export const Conversation = z.object({
  id: z.string(),
  title: z.string(),
  turns: z.number(),
  newest: z.string(),
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  outputTokens: z.number(),
  costMicroUsd: z.number().nullable(),
  userEmail: z.string(),
  createdAt: z.string(),
  lastAt: z.string(),
  archived: z.boolean(),
})
export type Conversation = z.output<typeof Conversation>

/** `archived`: those that were put away, in place of the others. */
export const ConversationFilter = z.object({
  search: z.string().trim().max(200).optional(),
  archived: z.enum(['no', 'yes']).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(rowsPerPage),
})
export type ConversationFilter = z.output<typeof ConversationFilter>

export const listConversations = verb({
  name: 'conversation.list',
  role: 'member',
  scope: 'runs:read',
  summary:
    'Lists conversations, which are runs that continue one another: all of them for admins, their own for members.',
  input: ConversationFilter,
  output: z.object({ conversations: z.array(Conversation), total: z.number() }),
  transaction: false,
  run: async ({ ctx }, filter) => {
    const where = whereOf(ctx, filter)
    const { page, pageSize } = filter
    const [rows, [counted]] = await Promise.all([
      db().$queryRaw<Row[]>`
        SELECT c.id, c.title, c."createdAt", c."lastAt", c."archivedAt", u.email, first.prompt, t.*
        FROM (SELECT * FROM conversations c WHERE ${where}
          ORDER BY c."lastAt" DESC, c.id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) c
        JOIN users u ON u.id = c."userId"
        JOIN runs first ON first.id = c.id
        CROSS JOIN LATERAL (
          SELECT count(*)::int AS turns, (array_agg(r.id ORDER BY r."createdAt" DESC, r.id DESC))[1] AS newest,
            sum(r."inputTokens")::float8 AS "inputTokens", sum(r."outputTokens")::float8 AS "outputTokens",
            CASE WHEN bool_or(r."costMicroUsd" IS NULL) THEN NULL ELSE sum(r."costMicroUsd")::float8 END AS cost,
            coalesce(sum((SELECT sum(m."cachedInputTokens") FROM usage_records m WHERE m."runId" = r.id)), 0)::float8 AS cached
          FROM runs r WHERE r.id = c.id OR r."conversationId" = c.id) t
        ORDER BY c."lastAt" DESC, c.id DESC`,
      db().$queryRaw<{ total: number }[]>`
        SELECT count(*)::int AS total FROM conversations c WHERE ${where}`,
    ])
    return { conversations: rows.map(toConversation), total: counted?.total ?? 0 }
  },
})

type Row = {
  id: string
  title: string
  createdAt: Date
  lastAt: Date
  archivedAt: Date | null
  email: string
  prompt: string
  turns: number
  newest: string
  inputTokens: number
  outputTokens: number
  cost: number | null
  cached: number
}

function toConversation({ title, prompt, cost, cached, archivedAt, email, ...row }: Row) {
  return {
    ...row,
    title: title || firstWords(prompt),
    cachedInputTokens: cached,
    costMicroUsd: cost,
    userEmail: email,
    createdAt: row.createdAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    archived: archivedAt !== null,
  }
}

/** Returns the condition on the conversations that the caller may see and asks for. */
function whereOf(ctx: Ctx, { search, archived }: ConversationFilter): Prisma.Sql {
  const { actor } = ctx
  const parts = [
    Prisma.sql`c."deletedAt" IS NULL`,
    archived === 'yes'
      ? Prisma.sql`c."archivedAt" IS NOT NULL`
      : Prisma.sql`c."archivedAt" IS NULL`,
  ]
  if (actor.role !== 'admin') parts.push(Prisma.sql`c."userId" = ${actor.userId}::uuid`)
  if (isLimitedKey(ctx)) parts.push(Prisma.sql`NOT ${hasTurnBeyond(ctx)}`)
  if (search) {
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
    parts.push(Prisma.sql`(c.title ILIKE ${pattern} OR EXISTS (
      SELECT 1 FROM runs r WHERE (r.id = c.id OR r."conversationId" = c.id) AND r.prompt ILIKE ${pattern}))`)
  }
  return Prisma.join(parts, ' AND ')
}

/** Returns the condition that a turn of the conversation `c` lies beyond the limits of the caller's key. */
function hasTurnBeyond(ctx: Ctx): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM runs r
    WHERE (r.id = c.id OR r."conversationId" = c.id) AND NOT ${runsWithinKeySql(ctx, 'r')})`
}

const newestSearched = 1_000
const promptCharacters = 2_000

type FoundConversation = Pick<Conversation, 'id' | 'title' | 'newest' | 'archived'> & {
  email: string
}

/**
 * Returns the conversations that the caller may see and whose title fits every pattern (ILIKE), the newest first. It looks at the
 * newest 1,000, so its cost does not grow with history.
 */
export async function findConversations(
  { actor }: Ctx,
  { patterns, take }: { patterns: readonly string[]; take: number },
): Promise<FoundConversation[]> {
  const mine =
    actor.role === 'admin' ? Prisma.empty : Prisma.sql`AND "userId" = ${actor.userId}::uuid`
  const rows = await db().$queryRaw<(FoundConversation & { prompt: string })[]>`
    SELECT f.*, newest.id AS newest
    FROM (
      SELECT c.id, c.title, t.prompt, c."archivedAt" IS NOT NULL AS archived, c."lastAt", u.email
      FROM (SELECT * FROM conversations WHERE "deletedAt" IS NULL ${mine}
        ORDER BY "lastAt" DESC LIMIT ${newestSearched}) c
      JOIN users u ON u.id = c."userId"
      JOIN runs first ON first.id = c.id
      CROSS JOIN LATERAL (SELECT left(first.prompt, ${promptCharacters}::int) AS prompt) t
      WHERE coalesce(nullif(c.title, ''), t.prompt) ILIKE ALL (${[...patterns]}::text[])
      ORDER BY c."lastAt" DESC, c.id DESC LIMIT ${take}) f
    CROSS JOIN LATERAL (
      SELECT r.id FROM runs r WHERE r.id = f.id OR r."conversationId" = f.id
      ORDER BY r."createdAt" DESC, r.id DESC LIMIT 1) newest
    ORDER BY f."lastAt" DESC, f.id DESC`
  return rows.map(({ prompt, ...row }) => ({ ...row, title: row.title || firstWords(prompt) }))
}

const own = { role: 'member', scope: 'runs:write' } as const
const One = z.object({ id: z.string().max(100) })

export const renameConversation = verb({
  ...own,
  name: 'conversation.rename',
  summary: 'Names a conversation of the caller.',
  input: One.extend({ title: Title }),
  run: async ({ tx, ctx }, { id, title }) => {
    const before = await lockConversation(tx, ctx, id)
    if (before.title === title) return unchanged(undefined)
    await tx.conversation.update({ where: { id: before.id }, data: { title } })
    return changed(undefined, {
      subject: before.id,
      before: { name: before.title },
      after: { name: title },
    })
  },
})

export const archiveConversation = verb({
  ...own,
  name: 'conversation.archive',
  summary: 'Puts a conversation of the caller away, or takes it back.',
  audits: ['conversation.archive', 'conversation.take-back'],
  input: One.extend({ archived: z.boolean() }),
  run: async ({ tx, ctx }, { id, archived }) => {
    const before = await lockConversation(tx, ctx, id)
    if ((before.archivedAt !== null) === archived) return unchanged(undefined)
    const archivedAt = archived ? new Date() : null
    await tx.conversation.update({ where: { id: before.id }, data: { archivedAt } })
    return changed(undefined, {
      subject: before.id,
      before: audited(before),
      after: { ...audited(before), archived },
      action: archived ? 'conversation.archive' : 'conversation.take-back',
    })
  },
})

export const deleteConversation = verb({
  ...own,
  name: 'conversation.delete',
  summary: 'Deletes a conversation of the caller from the list. Its runs stay.',
  input: One,
  run: async ({ tx, ctx }, { id }) => {
    const before = await lockConversation(tx, ctx, id)
    await tx.conversation.update({ where: { id: before.id }, data: { deletedAt: new Date() } })
    return changed(undefined, { subject: before.id, before: audited(before), after: null })
  },
})

export const restoreConversation = verb({
  ...own,
  name: 'conversation.restore',
  summary: 'Restores a deleted conversation of the caller.',
  input: One,
  run: async ({ tx, ctx }, { id }) => {
    const before = await lockConversation(tx, ctx, id, { not: null })
    await tx.conversation.update({ where: { id: before.id }, data: { deletedAt: null } })
    return changed(undefined, { subject: before.id, before: null, after: audited(before) })
  },
})

type Stored = Prisma.ConversationGetPayload<object>

function audited({ title, archivedAt }: Stored) {
  return { name: title, archived: archivedAt !== null }
}

/** Returns a conversation of the caller and locks it. Throws the same NotFoundError for one of somebody else as for none (SPEC A3). */
async function lockConversation(
  tx: Tx,
  ctx: Ctx,
  given: string,
  deletedAt: null | { not: null } = null,
): Promise<Stored> {
  const { actor } = ctx
  const id = parseId(given, what)
  await tx.$queryRaw`SELECT 1 AS locked FROM conversations WHERE id = ${id}::uuid FOR NO KEY UPDATE`
  const found = await tx.conversation.findFirst({ where: { id, userId: actor.userId, deletedAt } })
  if (!found) throw new NotFoundError(what)
  if (isLimitedKey(ctx)) {
    const beyond = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM conversations c WHERE c.id = ${id}::uuid AND ${hasTurnBeyond(ctx)}`
    if (beyond.length > 0) throw new NotFoundError(what)
  }
  return found
}
