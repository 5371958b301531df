import type { Missing } from '@/lib/domains/approvals/shape'
import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import type { ApprovalRule } from '@/lib/protocol/approval'
import { installedTools } from '@/lib/toolset/tools/installed-tools'
import { didYouMean } from '@/lib/words/nearest-name'

/** What a rule names by words. */
type Named = Pick<ApprovalRule, 'toolName' | 'toolGroup' | 'serverName'>

/** What it names by its row, as far as that may have ended since. */
type Referring = {
  person: { deletedAt: Date | null } | null
  apiKey: { revokedAt: Date | null } | null
}

/** Returns the names of the tools of this installation, of their groups, and of its MCP servers. */
export async function knownNames(client: Tx) {
  const tools = await installedTools(client)
  const servers = await client.server.findMany({ select: { name: true } })
  return {
    tools: new Set(tools.map(({ name }) => name)),
    groups: new Set(tools.map(({ group }) => group)),
    servers: new Set(servers.map(({ name }) => name)),
  }
}

/** Returns the rules as they are, each with what it names that does not exist now. */
export async function withMissing<R extends Named & Referring>(
  client: Tx,
  rules: readonly R[],
): Promise<(R & { missing: Missing[] })[]> {
  const { tools, groups, servers } = await knownNames(client)
  return rules.map((rule) => {
    const { person, apiKey } = rule
    const missing: Missing[] = []
    if (rule.toolName !== null && !tools.has(rule.toolName)) missing.push('tool')
    if (rule.toolGroup !== null && !groups.has(rule.toolGroup)) missing.push('group')
    if (rule.serverName !== null && !servers.has(rule.serverName)) missing.push('server')
    if (person && person.deletedAt !== null) missing.push('person')
    if (apiKey && apiKey.revokedAt !== null) missing.push('api-key')
    return { ...rule, missing }
  })
}

/** Throws ValidationError, which names the nearest known name, for what does not exist. */
export async function requireKnownNames(client: Tx, rule: Partial<Named>): Promise<void> {
  const fields = await unknownFields(client, rule)
  if (Object.keys(fields).length > 0) throw new ValidationError(fields)
}

/** Returns a sentence for each tool, group or server that does not exist, with the nearest known name. */
export async function unknownNames(client: Tx, rule: Partial<Named>): Promise<string[]> {
  return Object.values(await unknownFields(client, rule))
}

async function unknownFields(client: Tx, { toolName, toolGroup, serverName }: Partial<Named>) {
  const { tools, groups, servers } = await knownNames(client)
  return {
    ...(toolName && !tools.has(toolName) && { toolName: unknown('tool', toolName, tools) }),
    ...(toolGroup &&
      !groups.has(toolGroup) && { toolGroup: unknown('tool group', toolGroup, groups) }),
    ...(serverName &&
      !servers.has(serverName) && { serverName: unknown('MCP server', serverName, servers) }),
  }
}

/** Returns `There is no tool "…". Did you mean "…"?` */
export function unknown(what: string, name: string, known: Iterable<string>): string {
  return `There is no ${what} "${name.slice(0, 100)}". ${didYouMean(name, known)}`.trimEnd()
}
