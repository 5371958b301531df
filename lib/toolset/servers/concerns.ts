import 'server-only'
import { z } from 'zod'
import { requireServer } from '@/lib/domains/servers/stored'
import { verb } from '@/lib/edge/verb'
import { db, type Tx } from '@/lib/kernel/db'
import {
  AllowedNames,
  allowsGroup,
  allowsTool,
  type ToolAccess,
  toolAccess,
} from '@/lib/protocol/tool-access'
import { groupOfServer } from './remote-tools'

const Named = z.object({ id: z.string(), name: z.string() })
type Named = z.output<typeof Named>

/**
 * Objects that concern the tools of a server. `configurations`: those that are on and allow its group. Of each tool,
 * `configurations` allow it without its group, `skills` list it under allowed-tools, and `rules` may match its calls.
 */
const Concerns = z.object({
  configurations: z.array(Named),
  tools: z.array(
    z.object({
      name: z.string(),
      configurations: z.array(Named),
      skills: z.array(Named),
      rules: z.array(Named),
    }),
  ),
})
export type Concerns = z.output<typeof Concerns>

export const readConcerns = verb({
  name: 'server.concerns',
  role: 'admin',
  scope: 'servers:read',
  moreScopes: ['configurations:read', 'skills:read', 'approval-rules:read'],
  summary:
    'Lists what concerns the tools of a server: configurations that allow them, skills that list them, rules that match them.',
  input: z.object({ id: z.string() }),
  output: Concerns,
  transaction: false,
  run: async (_context, { id }) => {
    const client = db()
    const server = await requireServer(client, id)
    const group = groupOfServer(server.name)
    const rows = await client.remoteTool.findMany({
      where: { serverId: server.id, goneAt: null },
      select: { name: true },
      orderBy: { name: 'asc' },
    })
    const names = rows.map(({ name }) => name)
    const [configurations, skills, rules] = await Promise.all([
      client.configuration.findMany({
        where: { enabled: true },
        select: { id: true, name: true, allowedToolGroups: true, allowedTools: true },
        orderBy: { name: 'asc' },
      }),
      skillsListing(client, names),
      client.approvalRule.findMany({
        where: {
          enabled: true,
          AND: [
            { OR: [{ toolName: null }, { toolName: { in: names } }] },
            { OR: [{ toolGroup: null }, { toolGroup: group }] },
            { OR: [{ serverName: null }, { serverName: server.name }] },
          ],
        },
        select: { id: true, name: true, toolName: true },
        orderBy: { name: 'asc' },
      }),
    ])
    const allowing = configurations.map((row) => ({
      configuration: named(row),
      access: toolAccess(AllowedNames.parse(row)),
    }))
    const allowed = (wanted: (access: ToolAccess) => boolean) =>
      allowing.flatMap(({ configuration, access }) => (wanted(access) ? [configuration] : []))
    const isSingle = (name: string) => (access: ToolAccess) =>
      allowsTool(access, { name, group }) && !allowsGroup(access, group)
    const tools = names.map((name) => ({
      name,
      configurations: allowed(isSingle(name)),
      skills: skills.filter(({ toolNames }) => toolNames.includes(name)).map(named),
      rules: rules.filter(({ toolName }) => toolName === null || toolName === name).map(named),
    }))
    return { configurations: allowed((access) => allowsGroup(access, group)), tools }
  },
})

const Listing = Named.extend({ toolNames: z.array(z.string()) })

/** Returns the skills in use that list any of these tools, each with those that it lists. */
async function skillsListing(client: Tx, names: readonly string[]) {
  const rows = await client.$queryRaw<unknown[]>`
    SELECT s.id::text, s.name, array_agg(listed.name) AS "toolNames"
    FROM skills s
    JOIN skill_versions v ON v."skillId" = s.id AND v.version = s.version
    CROSS JOIN LATERAL jsonb_array_elements_text(
      CASE jsonb_typeof(v."allowedTools") WHEN 'array' THEN v."allowedTools" ELSE '[]' END) AS listed(name)
    WHERE s.enabled AND s."orphanedAt" IS NULL AND listed.name = ANY(${names})
    GROUP BY s.id, s.name ORDER BY s.name`
  return Listing.array().parse(rows)
}

function named({ id, name }: Named): Named {
  return { id, name }
}
