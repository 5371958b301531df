import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import type { KnownNames } from '@/lib/protocol/tool-access'
import { installedTools } from '@/lib/toolset/tools/installed-tools'

/** Returns the names that rules, limits and configurations may use. */
export async function knownNames(client: Tx): Promise<KnownNames> {
  const tools = await installedTools(client)
  const servers = await client.server.findMany({ select: { name: true } })
  return {
    tools: new Set(tools.map(({ name }) => name)),
    groups: new Set(tools.map(({ group }) => group)),
    servers: new Set(servers.map(({ name }) => name)),
  }
}
