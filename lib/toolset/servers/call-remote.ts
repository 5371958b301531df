import 'server-only'
import { z } from 'zod'
import { ToolDefinitionRecord } from '@/lib/engines/mcp/definition'
import { type CalledTool, readResult } from '@/lib/engines/mcp/read-result'
import { ServerError } from '@/lib/engines/mcp/transport/server-address'
import type { Prisma } from '@/lib/generated/prisma/client'
import { ToolError, type ToolResult } from '@/lib/protocol/tool'
import { type Checked, checkedSchemas, remember } from './checked-schemas'
import { withServer } from './server-pool'

export const remoteFields = {
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
  look: true,
  pin: true,
  server: { select: { name: true, callSeconds: true, enabled: true } },
} as const satisfies Prisma.RemoteToolSelect
export type RemoteRow = Omit<
  Prisma.RemoteToolGetPayload<{ select: typeof remoteFields }>,
  'seen' | 'accepted'
>

/** A definition with what its schemas became. */
export type Known = { definition: ToolDefinitionRecord; checked: Checked }

const definitions = new Map<string, ToolDefinitionRecord>()

/** Returns a tool as a person accepted it. */
export function acceptedTool({ acceptedHash, accepted }: RemoteRow & { accepted: unknown }): Known {
  const known = definitions.get(acceptedHash ?? '')
  const definition = known ?? ToolDefinitionRecord.parse(accepted)
  if (!known) remember(definitions, acceptedHash ?? '', definition)
  return { definition, checked: checkedSchemas(acceptedHash ?? '', definition) }
}

type Call = {
  definition: ToolDefinitionRecord
  checked: Checked
  args: unknown
  signal: AbortSignal
  /** The person whom the call is for, whose account it is made with. */
  userId: string
}

/** Calls a server's tool once and returns its result as that of a tool. Throws as `askRemote` does, and when the tool failed. */
export async function callRemote(row: RemoteRow, call: Call): Promise<ToolResult> {
  return readResult(await askRemote(row, call))
}

/**
 * Calls a server's tool once. Throws ToolError when the server does not define it as it was accepted, cannot be reached,
 * or returns something else than it promised.
 */
export async function askRemote(row: RemoteRow, call: Call): Promise<CalledTool> {
  const { definition, checked, signal, userId } = call
  const args = z.record(z.string(), z.unknown()).parse(call.args)
  const isWrite = row.effect !== 'read'
  let isSent = false
  try {
    const result = await withServer(row.serverId, userId, ({ connection, definitions }) => {
      const current = definitions.tools.find((tool) => tool.definition.name === row.remoteName)
      if (!current && definitions.incomplete !== null) throw notListed()
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
    return result
  } catch (error) {
    if (!(error instanceof ServerError)) throw error
    const { code, message, answer } = error
    const mayHaveActed = isWrite && isSent && codesOfSent.has(code)
    const words = sentWords(message, mayHaveActed)
    if (answer === '') throw new ToolError(`server-${code}`, words)
    throw new ToolError(`server-${code}`, `${words} It says: ${answer}`, true)
  }
}

function changedMeanwhile(): ToolError {
  const words = 'The server changed this tool. It is not called until a person accepts the change.'
  return new ToolError('definition-changed', words)
}

function notListed(): ToolError {
  const words =
    'The list of tools of the server is incomplete, so it is not known whether this tool is as it was accepted.'
  return new ToolError('list-incomplete', words)
}

/** The server may have done what it was asked for before these. */
const codesOfSent: ReadonlySet<ServerError['code']> = new Set([
  'ended',
  'timed-out',
  'too-much',
  'not-mcp',
])

/** Returns what a model is told about a failed call: a write may have happened although its result is not there. */
function sentWords(words: string, mayHaveActed: boolean): string {
  return mayHaveActed ? `${words} The call may have taken effect and is not repeated.` : words
}
