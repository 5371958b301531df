import 'server-only'
import { bindTool } from '@/lib/engines/tools/bind-tool'
import type { Tx } from '@/lib/kernel/db'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { installedTools } from './installed-tools'
import { loadResources } from './load-resources'

/**
 * Returns every tool of this installation by name, limited to the data that the run's person may read. The gates
 * decide.
 */
export async function loadToolset(tx: Tx): Promise<ReadonlyMap<string, ExecutableTool>> {
  const tools = await installedTools()
  return new Map(
    tools.map((tool) => [tool.name, bindTool(tool, (actor) => loadResources(tx, actor))]),
  )
}
