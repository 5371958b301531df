import 'server-only'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import { hasName, loadExtraTools } from '@/lib/engines/tools/extra-tools'
import type { Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { readRemoteTools } from '@/lib/toolset/servers/remote-tools'

/** By the operator's folder. */
const loaded = new Map<string | undefined, Promise<readonly ToolDefinition[]>>()

/**
 * Returns the built-in tools, those from the operator's folder, and those of servers. Files that could not be used are among
 * them, and no gate lets them run. The last ones have no name but their file's.
 */
export async function listedTools(
  client: Tx,
  options: { withSeen?: boolean } = {},
): Promise<readonly ToolDefinition[]> {
  const [local, remote] = await Promise.all([localTools(), readRemoteTools(client, options)])
  return [...local, ...remote]
}

/** Returns the built-in tools and those from the operator's folder (`TOOLGATE_EXTRA_TOOLS_DIR`), read once per process. */
export function localTools(): Promise<readonly ToolDefinition[]> {
  const folder = env().TOOLGATE_EXTRA_TOOLS_DIR
  const known = loaded.get(folder)
  if (known) return known
  const tools = load(folder)
  loaded.set(folder, tools)
  return tools
}

async function load(folder: string | undefined): Promise<readonly ToolDefinition[]> {
  return folder ? [...builtinTools, ...(await loadExtraTools(folder))] : builtinTools
}

/** Returns the tools that have a name, which models, rules and skills can use. */
export async function installedTools(client: Tx): Promise<readonly ToolDefinition[]> {
  return (await listedTools(client)).filter((tool) => tool.server !== undefined || hasName(tool))
}

export async function toolsByName(client: Tx): Promise<ReadonlyMap<string, ToolDefinition>> {
  return new Map((await installedTools(client)).map((tool) => [tool.name, tool]))
}
