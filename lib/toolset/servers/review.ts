import 'server-only'
import { z } from 'zod'
import { RemoteLook } from '@/lib/domains/servers/shared/remote-look'
import { requireServer, type StoredServer } from '@/lib/domains/servers/stored'
import { verb } from '@/lib/edge/verb'
import { ToolDefinitionRecord } from '@/lib/engines/mcp/definition'
import { hintsAbout, proposedEffect } from '@/lib/engines/mcp/hints'
import { proposedLook } from '@/lib/engines/mcp/known-looks'
import { fewAtATime, takingTurns } from '@/lib/engines/mcp/turns'
import type { RemoteTool } from '@/lib/generated/prisma/client'
import { db, type Tx } from '@/lib/kernel/db'
import { DataClass, Effect, schemaTokens } from '@/lib/protocol/tool'
import { localTools } from '@/lib/toolset/tools/installed-tools'
import { checkedSchemas } from './checked-schemas'

/** Facts about a tool that a person states. */
export const ToolFacts = { effect: Effect, dataClass: DataClass, requiresAdmin: z.boolean() }

/**
 * A server's tool at review. `seen`: as the server defines it now; `accepted`: as a person accepted it, null = nobody did.
 * `preselected`: the file that its server came from names it, or leaves others out. `hash` is of what is seen. `hints` warn, `problem` says why it can never be called, and `proposed` is what it probably does.
 */
export const ReviewedTool = z.object({
  name: z.string(),
  remoteName: z.string(),
  state: z.enum(['new', 'changed', 'accepted', 'gone']),
  seen: ToolDefinitionRecord,
  accepted: ToolDefinitionRecord.nullable(),
  acceptedByLabel: z.string(),
  acceptedAt: z.string().nullable(),
  hash: z.string(),
  hints: z.array(z.string()),
  problem: z.string().nullable(),
  proposed: Effect,
  /** For a new tool, the tick of the file that named its server; null = no file says. */
  preselected: z.boolean().nullable(),
  ...ToolFacts,
  /** Name and description for models; null: its own. */
  alias: z.string().nullable(),
  description: z.string().nullable(),
  /** Reading of the target of its calls, and a proposal for a well-known tool; null: none. */
  look: RemoteLook.nullable(),
  proposedLook: RemoteLook.nullable(),
  enabled: z.boolean(),
  schemaTokens: z.number(),
  /** Its calls until now, those that did not end well, and how long 95 % of them took at most; null = there were none. */
  calls: z.number(),
  failed: z.number(),
  p95Ms: z.number().nullable(),
})
export type ReviewedTool = z.output<typeof ReviewedTool>

export const reviewTools = verb({
  name: 'server.review',
  role: 'admin',
  scope: 'servers:read',
  summary: 'Lists the tools of a server: as it defines them now, and as they were accepted.',
  input: z.object({ id: z.string() }),
  output: z.array(ReviewedTool),
  transaction: false,
  run: async (_context, { id }) => readReview(await requireServer(db(), id)),
})

async function readReview(server: StoredServer): Promise<ReviewedTool[]> {
  const { id: serverId, includeTools, excludeTools } = server
  const isNamed = (name: string) =>
    !excludeTools.includes(name) && (includeTools.length === 0 || includeTools.includes(name))
  const hasTicks = includeTools.length + excludeTools.length > 0
  const client = db()
  const orderBy = { name: 'asc' } as const
  const all = await client.remoteTool.findMany({
    where: { serverId },
    select: { name: true, remoteName: true },
    orderBy,
  })
  const names = all.map(({ name }) => name)
  const own = new Set(all.map(({ remoteName }) => remoteName))
  const [overrides, calls, others, local] = await Promise.all([
    client.toolOverride.findMany({ where: { toolName: { in: names }, enabled: true } }),
    readCalls(client, names),
    client.remoteTool.findMany({
      where: { serverId: { not: serverId } },
      select: { remoteName: true },
    }),
    localTools(),
  ])
  const known = new Set([
    ...local.map(({ name }) => name),
    ...others.map((each) => each.remoteName),
  ])
  const on = new Set(overrides.map(({ toolName }) => toolName))
  const reviewed: ReviewedTool[] = []
  const nextTurn = takingTurns()
  for (const few of fewAtATime(names)) {
    const where = { serverId, name: { in: few } }
    for (const row of await client.remoteTool.findMany({ where, orderBy })) {
      await nextTurn()
      const figures = calls.get(row.name) ?? { calls: 0, failed: 0, p95Ms: null }
      const tool = reviewedTool(row, { known, own })
      const preselected = hasTicks && tool.state === 'new' ? isNamed(row.remoteName) : null
      reviewed.push({ ...tool, preselected, enabled: on.has(row.name), ...figures })
    }
  }
  return reviewed
}

type Counted = 'enabled' | 'preselected' | 'calls' | 'failed' | 'p95Ms'

/** Returns a tool as it is stored. `known`: the names that other tools have; `own`: those that its server uses. */
function reviewedTool(
  row: RemoteTool,
  { known, own }: Record<'known' | 'own', ReadonlySet<string>>,
): Omit<ReviewedTool, Counted> {
  const seen = ToolDefinitionRecord.parse(row.seen)
  const { parameters, problem } = checkedSchemas(row.seenHash, seen)
  const description = row.description ?? seen.description
  return {
    name: row.name,
    remoteName: row.remoteName,
    state: stateOf(row),
    seen,
    accepted: row.accepted === null ? null : ToolDefinitionRecord.parse(row.accepted),
    acceptedByLabel: row.acceptedByLabel,
    acceptedAt: row.acceptedAt?.toISOString() ?? null,
    hash: row.seenHash,
    hints: hintsAbout(seen, known),
    problem,
    proposed: proposedEffect(seen),
    effect: Effect.parse(row.effect),
    dataClass: DataClass.parse(row.dataClass),
    requiresAdmin: row.requiresAdmin,
    alias: row.alias,
    description: row.description,
    look: RemoteLook.nullable().catch(null).parse(row.look),
    proposedLook: proposedLook(seen, own),
    schemaTokens: schemaTokens({ name: row.alias ?? row.name, description, parameters }),
  }
}

const Calls = z.object({
  toolName: z.string(),
  calls: z.number(),
  failed: z.number(),
  p95Ms: z.number(),
})

/** Returns the calls of these tools until now, by the names of the tools. */
async function readCalls(client: Tx, names: readonly string[]) {
  const rows = await client.$queryRaw<unknown[]>`
    SELECT "toolName", count(*)::int AS calls, count(*) FILTER (WHERE outcome <> 'ok')::int AS failed,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY "durationMs") AS "p95Ms"
    FROM call_records WHERE "toolName" = ANY(${names}) GROUP BY "toolName"`
  return new Map(
    Calls.array()
      .parse(rows)
      .map(({ toolName, ...figures }) => [toolName, figures]),
  )
}

type Row = { acceptedHash: string | null; seenHash: string; goneAt: Date | null }

function stateOf({ acceptedHash, seenHash, goneAt }: Row): ReviewedTool['state'] {
  if (goneAt !== null) return 'gone'
  if (acceptedHash === null) return 'new'
  return acceptedHash === seenHash ? 'accepted' : 'changed'
}
