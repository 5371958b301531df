import 'server-only'
import { z } from 'zod'
import type { Held } from '@/lib/domains/servers/shared/remote-state'
import { ToolDefinitionRecord } from '@/lib/engines/mcp/definition'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import type { Tx } from '@/lib/kernel/db'
import { DataClass, Effect } from '@/lib/protocol/tool'
import { acceptedTool, callRemote, type Known, type RemoteRow, remoteFields } from './call-remote'
import { offeredParameters } from './checked-schemas'
import { lookOf } from './remote-look'

/** The group of a server's tools, which configurations allow and admins switch as a whole. */
export const groupOfServer = (name: string): string => `mcp-${name}`

/**
 * Returns the tools of all servers as they were accepted. Of those that nobody accepted there is only the name, and with
 * `withSeen` what their servers say: nobody may run them, so runs do without.
 */
export async function readRemoteTools(
  client: Tx,
  { withSeen = false } = {},
): Promise<ToolDefinition[]> {
  const rows = await client.remoteTool.findMany({
    where: { goneAt: null },
    select: { ...remoteFields, seen: withSeen },
    orderBy: { name: 'asc' },
  })
  return rows.map((row) => {
    const isAccepted = row.acceptedHash !== null
    return remoteTool(row, isAccepted ? acceptedTool(row) : unreadTool(row))
  })
}

/** Returns a tool that nobody accepted, with what its server says where that was read. Its schemas are not checked. */
function unreadTool({ remoteName, unusable, seen }: RemoteRow & { seen?: unknown }): Known {
  const definition =
    seen === undefined
      ? { name: remoteName, description: '', inputSchema: {} }
      : ToolDefinitionRecord.parse(seen)
  const parameters = offeredParameters(definition.inputSchema)
  const problem = unusable ? 'Its schemas cannot be checked.' : null
  const checked = { parameters, schema: z.never(), fitsOutput: () => false, problem }
  return { definition, checked }
}

function remoteTool(row: RemoteRow, { definition, checked }: Known): ToolDefinition {
  return {
    name: row.name,
    description: row.description ?? definition.description,
    group: groupOfServer(row.server.name),
    enabledByDefault: false,
    requiresAdmin: row.requiresAdmin,
    effect: Effect.parse(row.effect),
    dataClass: DataClass.parse(row.dataClass),
    timeoutMs: row.server.callSeconds * 1_000,
    server: row.server.name,
    pin: row.pin,
    ...(row.alias !== null && { alias: row.alias }),
    ...(row.acceptedAt && { acceptedAt: row.acceptedAt.getTime() }),
    remote: {
      pin: row.pin,
      held: heldBack(row),
      isGone: false,
      isServerOn: row.server.enabled,
    },
    ...(checked.problem !== null && { notLoaded: checked.problem }),
    parameters: checked.parameters,
    schema: checked.schema,
    ...(row.look !== null && { look: lookOf(row, row.look) }),
    execute: (args, { signal, actor: { userId } }) =>
      callRemote(row, { definition, checked, args, signal, userId }),
  }
}

function heldBack({ acceptedHash, seenHash, unusable }: RemoteRow): Held | null {
  if (acceptedHash === null) return 'new'
  if (acceptedHash === seenHash) return null
  return unusable ? 'unusable' : 'changed'
}
