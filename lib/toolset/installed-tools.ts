import 'server-only'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import { loadExtraTools } from '@/lib/engines/tools/extra-tools'
import { env } from '@/lib/kernel/env'

/** By the operator's folder. */
const loaded = new Map<string | undefined, Promise<readonly ToolDefinition[]>>()

/**
 * Returns the built-in tools and those from the operator's folder (`TOOLGATE_EXTRA_TOOLS_DIR`), read once per process.
 */
export function installedTools(): Promise<readonly ToolDefinition[]> {
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

export async function toolsByName(): Promise<ReadonlyMap<string, ToolDefinition>> {
  return new Map((await installedTools()).map((tool) => [tool.name, tool]))
}
