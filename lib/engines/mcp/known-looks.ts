import type { RemoteLook } from '@/lib/domains/servers/shared/remote-look'
import type { ToolDefinitionRecord } from './definition'

const readFile = (path: string, becomes: string | null): RemoteLook => ({
  tool: 'read_text_file',
  arguments: { path },
  becomes,
})
const wholeGraph: RemoteLook = { tool: 'read_graph', arguments: {}, becomes: null }

/** By the names of the tools of @modelcontextprotocol/server-filesystem and server-memory, read on 2026-11-26. */
const knownLooks: ReadonlyMap<string, RemoteLook> = new Map([
  ['write_file', readFile('$.path', '$.content')],
  ['edit_file', readFile('$.path', null)],
  // The target of the move.
  ['move_file', readFile('$.destination', null)],
  ['create_entities', wholeGraph],
  ['create_relations', wholeGraph],
  ['add_observations', wholeGraph],
  ['delete_entities', wholeGraph],
  ['delete_observations', wholeGraph],
  ['delete_relations', wholeGraph],
])

/**
 * Returns how a well-known tool can be looked at, as a proposal for a person; null where the server has no tool that reads, or
 * the tool does not take what the look needs. `own`: the names of the server's tools.
 */
export function proposedLook(
  { name, inputSchema }: ToolDefinitionRecord,
  own: ReadonlySet<string>,
): RemoteLook | null {
  const look = knownLooks.get(name)
  if (!look || !own.has(look.tool)) return null
  const taken = Object.keys(Object(inputSchema.properties))
  const needed = [
    ...Object.values(look.arguments),
    ...(look.becomes === null ? [] : [look.becomes]),
  ]
  return needed.every((path) => taken.includes(path.slice('$.'.length))) ? look : null
}
