import 'server-only'
import { z } from 'zod'
import { ToolDefinitionRecord } from '@/lib/engines/mcp/definition'
import { readResult } from '@/lib/engines/mcp/read-result'
import { ServerTrouble } from '@/lib/engines/mcp/server-address'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import type { Held } from '@/lib/protocol/remote-state'
import { DataClass, Effect, ToolError, type ToolResult } from '@/lib/protocol/tool'
import { type Checked, checkedSchemas, remember } from './checked-schemas'
import { withServer } from './server-pool'

const remoteFields = {
  id: true,
  serverId: true,
  remoteName: true,
  name: true,
  seen: true,
  seenHash: true,
  unusable: true,
  accepted: true,
  acceptedHash: true,
  acceptedAt: true,
  alias: true,
  description: true,
  effect: true,
  dataClass: true,
  requiresAdmin: true,
  pin: true,
  server: { select: { name: true, callSeconds: true, enabled: true } },
} as const satisfies Prisma.RemoteToolSelect
type Row = Omit<Prisma.RemoteToolGetPayload<{ select: typeof remoteFields }>, 'seen' | 'accepted'>

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

/** A definition with what its schemas became. */
type Known = { definition: ToolDefinitionRecord; checked: Checked }

const definitions = new Map<string, ToolDefinitionRecord>()

function acceptedTool({ acceptedHash, accepted }: Row & { accepted: unknown }): Known {
  const known = definitions.get(acceptedHash ?? '')
  const definition = known ?? ToolDefinitionRecord.parse(accepted)
  if (!known) remember(definitions, acceptedHash ?? '', definition)
  return { definition, checked: checkedSchemas(acceptedHash ?? '', definition) }
}

/** Returns a tool that nobody accepted, with what its server says where that was read. Its schemas are not checked. */
function unreadTool({ remoteName, unusable, seen }: Row & { seen?: unknown }): Known {
  const definition =
    seen === undefined
      ? { name: remoteName, description: '', inputSchema: {} }
      : ToolDefinitionRecord.parse(seen)
  const { inputSchema: parameters } = definition
  const problem = unusable ? 'Its schemas cannot be checked.' : null
  const checked = { parameters, schema: z.never(), fitsOutput: () => false, problem }
  return { definition, checked }
}

function remoteTool(row: Row, { definition, checked }: Known): ToolDefinition {
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
    execute: (args, { signal }) => callRemote(row, { definition, checked, args, signal }),
  }
}

function heldBack({ acceptedHash, seenHash, unusable }: Row): Held | null {
  if (acceptedHash === null) return 'new'
  if (acceptedHash === seenHash) return null
  return unusable ? 'unusable' : 'changed'
}

type Call = {
  definition: ToolDefinitionRecord
  checked: Checked
  args: unknown
  signal: AbortSignal
}

/**
 * Calls a server's tool once. Throws ToolError when the server does not define it as it was accepted, cannot be reached,
 * says that the tool failed, or returns something else than it promised.
 */
async function callRemote(row: Row, call: Call): Promise<ToolResult> {
  const { definition, checked, signal } = call
  const args = z.record(z.string(), z.unknown()).parse(call.args)
  const isWrite = row.effect !== 'read'
  let isSent = false
  try {
    const result = await withServer(row.serverId, ({ connection, definitions }) => {
      const current = definitions.tools.find((tool) => tool.definition.name === row.remoteName)
      if (current?.hash !== row.acceptedHash) throw changedMeanwhile()
      const timeoutMs = row.server.callSeconds * 1_000
      const { name, inputSchema } = definition
      isSent = true
      return connection.callTool({ name, inputSchema, args, timeoutMs, signal })
    })
    const { structuredContent, isError } = result
    if (
      isError !== true &&
      structuredContent !== undefined &&
      !checked.fitsOutput(structuredContent)
    ) {
      const words =
        'The server returned something else than its tool promises, so nothing of it is used.'
      throw new ToolError('result-not-valid', sentWords(words, isWrite))
    }
    return readResult(result)
  } catch (error) {
    if (!(error instanceof ServerTrouble)) throw error
    const { code, message } = error
    const mayHaveActed = isWrite && isSent && codesOfSent.has(code)
    throw new ToolError(`server-${code}`, sentWords(message, mayHaveActed))
  }
}

function changedMeanwhile(): ToolError {
  const words = 'The server changed this tool. It is not called until a person accepts the change.'
  return new ToolError('definition-changed', words)
}

/** The server may have done what it was asked for before these. */
const codesOfSent: ReadonlySet<ServerTrouble['code']> = new Set([
  'ended',
  'timed-out',
  'too-much',
  'not-mcp',
])

/** Returns what a model is told about a failed call: a write may have happened although its result is not there. */
function sentWords(words: string, mayHaveActed: boolean): string {
  return mayHaveActed ? `${words} The call may have taken effect and is not repeated.` : words
}
