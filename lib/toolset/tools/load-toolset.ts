import 'server-only'
import { bindTool } from '@/lib/engines/tools/bind-tool'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import type { Tx } from '@/lib/kernel/db'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { loadResources, type RunsOf } from '@/lib/toolset/ports/load-resources'
import { toolsByName } from './installed-tools'

/**
 * Returns these tools of the installation for a run, limited to the data that its person may read. The gates decide.
 * `since`: when the run began, ms since 1970. What a person accepted or changed of a server's tool later is not for it,
 * whichever process goes on with the run. `runs`: the runs that its calls may start; left out = none.
 */
export function bindTools(
  tools: ReadonlyMap<string, ToolDefinition>,
  tx: Tx,
  { since = Number.POSITIVE_INFINITY, runs }: { since?: number; runs?: RunsOf } = {},
): ReadonlyMap<string, ExecutableTool> {
  return new Map(
    [...tools].map(([name, tool]) => {
      const isLater = tool.acceptedAt !== undefined && tool.acceptedAt > since
      const known = isLater ? { ...tool, pin: '' } : tool
      return [name, bindTool(known, (caller) => loadResources(tx, caller, runs))]
    }),
  )
}

/** Returns all tools of the installation, as they are now, limited to the data of whoever calls them. */
export async function loadToolset(tx: Tx): Promise<ReadonlyMap<string, ExecutableTool>> {
  return bindTools(await toolsByName(tx), tx)
}
