import 'server-only'
import { bindTool } from '@/lib/engines/tools/bind-tool'
import type { Tx } from '@/lib/kernel/db'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { installedTools } from './installed-tools'
import { loadResources } from './load-resources'

/**
 * Returns every tool of this installation by name, limited to the data that the run's person may read. The gates
 * decide. `since`: when the run began, ms since 1970. What a person accepted or changed of a server's tool later is not for
 * it, whichever process goes on with the run.
 */
export async function loadToolset(
  tx: Tx,
  since = Number.POSITIVE_INFINITY,
): Promise<ReadonlyMap<string, ExecutableTool>> {
  const tools = await installedTools(tx)
  return new Map(
    tools.map((tool) => {
      const isLater = tool.acceptedAt !== undefined && tool.acceptedAt > since
      const known = isLater ? { ...tool, pin: '' } : tool
      return [tool.name, bindTool(known, (actor) => loadResources(tx, actor))]
    }),
  )
}
