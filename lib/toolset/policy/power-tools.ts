import 'server-only'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import type { Tx } from '@/lib/kernel/db'
import type { ToolMeta } from '@/lib/protocol/tool'

const builtin = new Set(builtinTools.map(({ name }) => name))

type Asked = Pick<ToolMeta, 'name' | 'needs' | 'effect' | 'server'>

/**
 * Returns which tools run programs of this server or change its files (SPEC A7): exec, those that write in workspaces, those of
 * MCP servers that are programs, and extra tools that write, because they are code of this server.
 */
export async function powerTools(client: Tx): Promise<(tool: Asked) => boolean> {
  const rows = await client.server.findMany({ where: { kind: 'stdio' }, select: { name: true } })
  const programs = new Set(rows.map(({ name }) => name))
  return ({ name, needs, effect, server }) => {
    if (server !== undefined) return programs.has(server)
    if (needs === 'program') return true
    return effect !== 'read' && (needs === 'workspace' || !builtin.has(name))
  }
}
