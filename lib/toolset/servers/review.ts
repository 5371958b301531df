import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { requireServer } from '@/lib/domains/servers/stored'
import { ToolDefinitionRecord } from '@/lib/engines/mcp/definition'
import { hintsAbout, proposedEffect } from '@/lib/engines/mcp/hints'
import { fewAtATime, takingTurns } from '@/lib/engines/mcp/turns'
import type { RemoteTool } from '@/lib/generated/prisma/client'
import { authorId } from '@/lib/kernel/context'
import { db, type PolicyTx, type Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { type AuditedChange, changed, verb } from '@/lib/kernel/verb'
import { DataClass, Effect, schemaTokens } from '@/lib/protocol/tool'
import { localTools } from '../installed-tools'
import { Alias, requireFreeAliases } from './aliases'
import { checkedSchemas } from './checked-schemas'
import { groupOfServer } from './remote-tools'

/** What a person says about a tool. */
const Facts = { effect: Effect, dataClass: DataClass, requiresAdmin: z.boolean() }

/**
 * A server's tool at review. `seen`: as the server defines it now; `accepted`: as a person accepted it, null = nobody did.
 * `hash` is of what is seen. `hints` warn, `problem` says why it can never be called, and `proposed` is what it probably does.
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
  ...Facts,
  /** What models call it, and are told about it; null = its name and its own description. */
  alias: z.string().nullable(),
  description: z.string().nullable(),
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
  run: async (_context, { id }) => readReview((await requireServer(db(), id)).id),
})

async function readReview(serverId: string): Promise<ReviewedTool[]> {
  const client = db()
  const orderBy = { name: 'asc' } as const
  const all = await client.remoteTool.findMany({
    where: { serverId },
    select: { name: true },
    orderBy,
  })
  const names = all.map(({ name }) => name)
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
      const own = calls.get(row.name) ?? { calls: 0, failed: 0, p95Ms: null }
      reviewed.push({ ...reviewedTool(row, known), enabled: on.has(row.name), ...own })
    }
  }
  return reviewed
}

type Counted = 'enabled' | 'calls' | 'failed' | 'p95Ms'

/** Returns a tool as it is stored, beside the names that other tools have. */
function reviewedTool(row: RemoteTool, others: ReadonlySet<string>): Omit<ReviewedTool, Counted> {
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
    hints: hintsAbout(seen, others),
    problem,
    proposed: proposedEffect(seen),
    effect: Effect.parse(row.effect),
    dataClass: DataClass.parse(row.dataClass),
    requiresAdmin: row.requiresAdmin,
    alias: row.alias,
    description: row.description,
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

/**
 * One tool as a person decides about it. `hash` is of the definition that they saw. `alias`, `description` and `enabled` left
 * out = as they are.
 */
const Decision = z.object({
  name: z.string(),
  hash: z.string(),
  ...Facts,
  /** What models call it, and are told about it; null = its name and its own description. */
  alias: Alias.nullable().optional(),
  description: z.string().trim().min(1).max(4_000).nullable().optional(),
  enabled: z.boolean().optional(),
})
export type Decision = z.output<typeof Decision>

/**
 * Accepts definitions of a server's tools, says what they are, and switches them. Once it resolves, no call that it forbids
 * starts in any process. Throws ConflictError when a definition is not the one that was seen, ValidationError for one whose
 * schema cannot be checked, and for an alias that means another tool.
 */
export const acceptTools = verb({
  name: 'server.accept',
  role: 'admin',
  scope: 'tools:write',
  summary:
    'Accepts tools of a server as it defines them now, and sets their effect, data class, who may use them, and their switch.',
  reason: 'optional',
  needsProof: () => true,
  input: z.object({
    id: z.string(),
    tools: z
      .array(Decision)
      .min(1, 'Name at least one tool.')
      .max(200, 'Accept at most 200 tools in one step.')
      .refine(
        (tools) => new Set(tools.map(({ name }) => name)).size === tools.length,
        'Name each tool once.',
      ),
  }),
  audits: ['tool.accept', 'tool.switch-on', 'tool.switch-off'],
  transaction: changePolicy,
  run: async ({ ctx, tx, actor, reason }, { id, tools }) => {
    const server = await requireServer(tx, id)
    const author = {
      reason,
      changedBy: authorId(ctx),
      changedByLabel: actor.email,
      changedAt: new Date(),
    }
    const names = tools.map(({ name }) => name)
    await requireFreeAliases(tx, tools)
    const overrides = await tx.toolOverride.findMany({ where: { toolName: { in: names } } })
    const before = new Map(overrides.map((override) => [override.toolName, override]))
    const rows = await tx.remoteTool.findMany({
      where: { serverId: server.id, name: { in: names } },
    })
    const byName = new Map(rows.map((row) => [row.name, row]))
    const changes: AuditedChange<'tool.accept' | 'tool.switch-on' | 'tool.switch-off'>[] = []
    for (const decision of tools) {
      const row = byName.get(decision.name)
      const accepted = await accept(tx, { server, row, decision, by: actor.email })
      if (accepted) changes.push(accepted)
      const { name: toolName, enabled } = decision
      if (enabled === undefined) continue
      const was = before.get(toolName)
      if ((was?.enabled ?? false) === enabled) continue
      const data = { enabled, ...author }
      await tx.toolOverride.upsert({
        where: { toolName },
        create: { toolName, ...data },
        update: data,
      })
      changes.push({
        action: enabled ? 'tool.switch-on' : 'tool.switch-off',
        subject: toolName,
        before: was ? { enabled: was.enabled, reason: was.reason } : null,
        after: { enabled, reason },
      })
    }
    return changed(undefined, ...changes)
  },
})

type Accepting = {
  server: { name: string }
  row: RemoteTool | undefined
  decision: Decision
  by: string
}

async function accept(
  tx: PolicyTx,
  { server, row, decision, by: acceptedByLabel }: Accepting,
): Promise<AuditedChange<'tool.accept'> | null> {
  const { name, hash, effect, dataClass, requiresAdmin } = decision
  if (!row) throw new NotFoundError(`A tool named ${name.slice(0, 100)} of this server`)
  const { alias: asked = row.alias, description = row.description } = decision
  const alias = asked === name ? null : asked
  const others = { effect, dataClass, requiresAdmin, description }
  const facts = { ...others, alias }
  if (row.goneAt !== null) throw new ConflictError(`${name} is not offered by its server any more.`)
  if (row.seenHash !== hash) {
    throw new ConflictError(`The server changed ${name} meanwhile. Review it again.`)
  }
  const { problem } = checkedSchemas(row.seenHash, ToolDefinitionRecord.parse(row.seen))
  if (problem !== null) {
    throw new ValidationError({ tools: `${name} cannot be accepted: ${problem}` })
  }
  const pin = createHash('sha256')
    .update(JSON.stringify({ id: row.id, hash, ...others, ...(alias !== null && { alias }) }))
    .digest('hex')
  // Runs that wait keep a tool that nobody changed.
  if (pin === row.pin) return null
  await tx.remoteTool.update({
    where: { id: row.id },
    data: {
      ...facts,
      pin,
      acceptedHash: hash,
      ...(row.seen !== null && { accepted: row.seen }),
      acceptedAt: new Date(),
      acceptedByLabel,
    },
  })
  const before = {
    definition: row.acceptedHash,
    ...{ effect: row.effect, dataClass: row.dataClass, requiresAdmin: row.requiresAdmin },
    ...{ description: row.description, alias: row.alias },
  }
  return {
    action: 'tool.accept',
    subject: name,
    before: row.acceptedHash === null ? null : before,
    after: { definition: hash, group: groupOfServer(server.name), ...facts },
  }
}
