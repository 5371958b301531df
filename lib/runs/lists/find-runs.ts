import 'server-only'
import { z } from 'zod'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { visibleRuns } from '@/lib/runs/require-run'

const newestRuns = 5_000
const promptCharacters = 2_000
const shownCharacters = 200

const Found = z.object({
  id: z.string(),
  prompt: z.string(),
  configuration: z.string().nullable(),
  email: z.string(),
})
export type FoundRun = z.infer<typeof Found>

/**
 * Returns the newest runs that the caller may see and whose prompt or tags fit every pattern (ILIKE). It looks at the newest
 * 5,000 runs and the first 2,000 characters of a prompt, so its cost does not grow with history.
 */
export async function findRunsByPrompt(
  ctx: Ctx,
  { patterns, take }: { patterns: readonly string[]; take: number },
): Promise<FoundRun[]> {
  const { role, userId } = ctx.actor
  const mine = role === 'admin' ? Prisma.empty : Prisma.sql`WHERE "userId" = ${userId}::uuid`
  const rows = await db().$queryRaw<unknown[]>`
    SELECT r.id, left(r.prompt, ${shownCharacters}::int) AS prompt, c.name AS configuration, u.email
    FROM (
      SELECT id, prompt, tags, "createdAt", "configurationId", "userId" FROM runs ${mine}
      ORDER BY "createdAt" DESC LIMIT ${newestRuns}
    ) r
    JOIN users u ON u.id = r."userId"
    LEFT JOIN configurations c ON c.id = r."configurationId"
    WHERE left(r.prompt, ${promptCharacters}::int) ILIKE ALL (${[...patterns]}::text[])
      OR (r.tags <> '{}' AND array_to_string(r.tags, ' ') ILIKE ALL (${[...patterns]}::text[]))
    ORDER BY r."createdAt" DESC LIMIT ${take}`
  return z.array(Found).parse(rows)
}

/** Returns the runs that the caller may see and whose id is in this range, newest first. */
export async function findRunsById(
  ctx: Ctx,
  { ids, take }: { ids: { gte: string; lte: string }; take: number },
): Promise<FoundRun[]> {
  const rows = await db().run.findMany({
    where: { AND: [visibleRuns(ctx), { id: ids }] },
    orderBy: { id: 'desc' },
    take,
    select: {
      id: true,
      prompt: true,
      configuration: { select: { name: true } },
      user: { select: { email: true } },
    },
  })
  return rows.map(({ id, prompt, configuration, user }) => ({
    id,
    prompt: prompt.slice(0, shownCharacters),
    configuration: configuration?.name ?? null,
    email: user.email,
  }))
}

const runsWithTools = 1_000

/** Returns the tools that the newest 1,000 runs called that the caller may see, by name. */
export async function recentTools(ctx: Ctx): Promise<string[]> {
  const { role, userId } = ctx.actor
  const mine = role === 'admin' ? Prisma.sql`true` : Prisma.sql`runs."userId" = ${userId}::uuid`
  const rows = await db().$queryRaw<{ name: string }[]>`
    SELECT substr(fact, 6) AS name
    FROM (SELECT "callFacts" FROM runs WHERE ${mine} ORDER BY "createdAt" DESC LIMIT ${runsWithTools}) r
      CROSS JOIN LATERAL unnest(r."callFacts") fact
    WHERE fact LIKE 'tool:%'
    UNION
    SELECT left(c."toolName", 200) FROM runs JOIN call_records c ON c."runId" = runs.id
    WHERE runs.status IN ('running', 'waiting') AND ${mine}
    ORDER BY name LIMIT 200`
  return rows.map(({ name }) => name)
}
