import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { RemoteLook } from '@/lib/domains/servers/shared/remote-look'
import { requireServer } from '@/lib/domains/servers/stored'
import { type AuditedChange, changed, verb } from '@/lib/edge/verb'
import { ToolDefinitionRecord } from '@/lib/engines/mcp/definition'
import { Prisma, type RemoteTool } from '@/lib/generated/prisma/client'
import { authorId } from '@/lib/kernel/context'
import type { PolicyTx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { Alias, requireFreeAliases } from './aliases'
import { checkedSchemas } from './checked-schemas'
import { groupOfServer } from './remote-tools'
import { ToolFacts } from './review'

/**
 * One tool as a person decides about it. `hash` is of the definition that they saw. `alias`, `description`,
 * `look` and `enabled` left out = as they are.
 */
const Decision = z.object({
  name: z.string(),
  hash: z.string(),
  ...ToolFacts,
  /** Name and description for models; null: its own. */
  alias: Alias.nullable().optional(),
  description: z.string().trim().min(1).max(4_000).nullable().optional(),
  /** Reading of the target of its calls; null: none. */
  look: RemoteLook.nullable().optional(),
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
  mayBreakCases: true,
  role: 'admin',
  scope: 'tools:write',
  summary:
    'Accepts tools of a server as it defines them now, and sets their effect, data class, who may use them, how their changes are looked at, and their switch.',
  reason: 'optional',
  needsReauthentication: () => true,
  // Accepting a tool sets its effect, and with it whether its calls wait for approval.
  personsAct: async ({ id }, client) =>
    (await requireServer(client, id)).kind === 'stdio' ? 'tool' : null,
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
      await requireReader(tx, { serverId: server.id, row, look: decision.look })
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
  const { alias: request = row.alias, description = row.description } = decision
  const alias = request === name ? null : request
  const { look = RemoteLook.nullable().catch(null).parse(row.look) } = decision
  const others = { effect, dataClass, requiresAdmin, description }
  const facts = { ...others, alias, look }
  if (row.goneAt !== null) throw new ConflictError(`${name} is not offered by its server any more.`)
  if (row.seenHash !== hash) {
    throw new ConflictError(`The server changed ${name} meanwhile. Review it again.`)
  }
  const { problem } = checkedSchemas(row.seenHash, ToolDefinitionRecord.parse(row.seen))
  if (problem !== null) {
    throw new ValidationError({ tools: `${name} cannot be accepted: ${problem}` })
  }
  const pin = createHash('sha256')
    .update(
      JSON.stringify({
        id: row.id,
        hash,
        ...others,
        ...(alias !== null && { alias }),
        ...(look && { look: inOneOrder(look) }),
      }),
    )
    .digest('hex')
  // Runs that wait keep a tool that nobody changed.
  if (pin === row.pin) return null
  await tx.remoteTool.update({
    where: { id: row.id },
    data: {
      ...facts,
      look: look ?? Prisma.DbNull,
      pin,
      acceptedHash: hash,
      ...(row.seen !== null && { accepted: row.seen }),
      acceptedAt: new Date(),
      acceptedByLabel,
    },
  })
  const before = {
    definition: row.acceptedHash,
    effect: row.effect,
    dataClass: row.dataClass,
    requiresAdmin: row.requiresAdmin,
    description: row.description,
    alias: row.alias,
    look: row.look,
  }
  return {
    action: 'tool.accept',
    subject: name,
    before: row.acceptedHash === null ? null : before,
    after: { definition: hash, group: groupOfServer(server.name), ...facts },
  }
}

/** Returns a look as the hash takes it, whatever the order in which it was stored. */
function inOneOrder({ tool, arguments: paths, becomes }: RemoteLook): RemoteLook {
  const sorted = Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { tool, arguments: Object.fromEntries(sorted), becomes }
}

type Looked = { serverId: string; row: RemoteTool | undefined; look: Decision['look'] }

/** Throws ValidationError when what is to read for a tool is not another tool of its server. */
async function requireReader(tx: PolicyTx, { serverId, row, look }: Looked): Promise<void> {
  if (!look || !row) return
  const where = { serverId, remoteName: look.tool, NOT: { id: row.id } }
  if ((await tx.remoteTool.count({ where })) > 0) return
  const name = look.tool.slice(0, 100)
  throw new ValidationError({
    tools: `${row.name} cannot be looked at with ${name}: that is no other tool of this server.`,
  })
}
