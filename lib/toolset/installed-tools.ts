import 'server-only'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import { loadExtraTools } from '@/lib/engines/tools/extra-tools'
import { env } from '@/lib/kernel/env'

let loaded: Promise<readonly ToolDefinition[]> | undefined

/**
 * Returns the built-in tools and those from the operator's folder (`TOOLGATE_EXTRA_TOOLS_DIR`), read once per process.
 */
export function installedTools(): Promise<readonly ToolDefinition[]> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<readonly ToolDefinition[]> {
  const directory = env().TOOLGATE_EXTRA_TOOLS_DIR
  return directory ? [...builtinTools, ...(await loadExtraTools(directory))] : builtinTools
}

export async function toolsByName(): Promise<ReadonlyMap<string, ToolDefinition>> {
  return new Map((await installedTools()).map((tool) => [tool.name, tool]))
}
