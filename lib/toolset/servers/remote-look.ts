import 'server-only'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { RemoteLook } from '@/lib/domains/servers/shared/remote-look'
import { db } from '@/lib/kernel/db'
import { type Actor, type TargetReader, ToolError } from '@/lib/protocol/tool'
import { valuesAt } from '@/lib/words/json-path'
import { parseJsonPath } from '@/lib/words/json-text'
import { acceptedTool, askRemote, type RemoteRow, remoteFields } from './call-remote'

/** Returns how a server's tool looks at what its calls change, by another tool of its server (SPEC G-W). */
export function lookOf({ serverId }: Pick<RemoteRow, 'serverId'>, stored: unknown): TargetReader {
  const { success, data } = RemoteLook.safeParse(stored)
  if (!success)
    return { read: () => Promise.reject(noLook('What is stored about it makes no sense.')) }
  const { tool, arguments: paths, becomes } = data
  return {
    read: async (args, { signal, actor }) => {
      const row = await readerOf(serverId, tool, actor)
      const { definition, checked } = acceptedTool(row)
      const fits = checked.schema.safeParse(argumentsAt(paths, args))
      if (checked.problem !== null || !fits.success) {
        throw noLook(`${row.name}, which reads it, does not take these arguments.`)
      }
      const { userId } = actor
      return textOf(await askRemote(row, { definition, checked, args: fits.data, signal, userId }))
    },
    becomes: (args) => {
      const value = becomes === null ? null : valueAt(becomes, args)
      return typeof value === 'string' ? value : null
    },
  }
}

/** Reads the tool that looks, as it is now. Throws ToolError in words for people when it may not be used for that. */
async function readerOf(serverId: string, remoteName: string, actor: Actor) {
  const row = await db().remoteTool.findUnique({
    where: { serverId_remoteName: { serverId, remoteName } },
    select: { ...remoteFields, goneAt: true },
  })
  const name = row?.name ?? remoteName.slice(0, 100)
  if (!row || row.goneAt !== null) throw noLook(`The server has no tool ${name} to read it with.`)
  if (row.acceptedHash === null) throw noLook(`Nobody accepted ${name}, which reads it.`)
  if (row.acceptedHash !== row.seenHash) {
    throw noLook(`The server changed ${name}, which reads it, and nobody accepted the change.`)
  }
  if (row.effect !== 'read') throw noLook(`${name} is not accepted as a tool that only reads.`)
  if (row.requiresAdmin && actor.role !== 'admin') {
    throw noLook(`${name}, which reads it, is for admins only.`)
  }
  return row
}

function noLook(words: string): ToolError {
  return new ToolError('no-look', words)
}

function argumentsAt(paths: RemoteLook['arguments'], args: unknown): Record<string, unknown> {
  const given = Object.entries(paths).map(([name, path]) => [name, valueAt(path, args)])
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

function valueAt(path: string, args: unknown): unknown {
  const parsed = parseJsonPath(path)
  return parsed.ok ? valuesAt(args, parsed.steps)[0] : undefined
}

/** Words of servers for a missing file or entry. */
const missing = /\bENOENT\b|no such file or directory|\bnot found\b|\bdoes not exist\b/i

/** Returns the text that a reading tool gave; null when it says that there is nothing. Throws ToolError when it failed. */
function textOf({ content, structuredContent, isError }: CallToolResult): string | null {
  const texts = (content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const text = texts.join('\n')
  if (isError === true) {
    if (missing.test(text)) return null
    throw noLook(`The tool that reads it failed: ${text.slice(0, 500) || 'it did not say why'}.`)
  }
  if (texts.length > 0) return text
  if (structuredContent !== undefined) return JSON.stringify(structuredContent, null, 2)
  throw noLook('The tool that reads it returned no text.')
}
