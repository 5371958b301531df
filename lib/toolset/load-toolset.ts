import 'server-only'
import type { Actor, ExecutableTool } from '@/lib/protocol/tool'
import { bindTool } from '@/lib/tools/bind-tool'
import { installedTools } from './installed-tools'
import { loadResources } from './load-resources'

/** Every tool of this installation, bound to what `actor` may touch, by name. The gates decide which may be used. */
export async function loadToolset(actor: Actor): Promise<ReadonlyMap<string, ExecutableTool>> {
  const resources = loadResources(actor)
  const tools = await installedTools()
  return new Map(tools.map((tool) => [tool.name, bindTool(tool, resources)]))
}
