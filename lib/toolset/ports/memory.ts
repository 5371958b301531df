import 'server-only'
import { addNote, hashOf, readNotes, replaceNote } from '@/lib/domains/memory/store'
import type { ResourceCaller } from '@/lib/engines/tools/bind-tool'
import type { ToolResources } from '@/lib/engines/tools/tool-resources'
import { type Tx, unaudited } from '@/lib/kernel/db'
import { memoryLimits } from '@/lib/protocol/memory'
import { ToolError } from '@/lib/protocol/tool'

/** Returns the memory of the person whom a run acts for, with the configuration of the run, and no other. */
export function memoryOf(
  client: Tx,
  { actor: { userId }, configurationId, runId }: ResourceCaller,
): ToolResources['memory'] {
  const tx = unaudited(client, 'A model wrote it; the journal of its run says so.')
  const owner = configurationId === null ? null : { userId, configurationId }
  const requireOwner = () => owner ?? noMemory()
  return {
    read: async ({ search, limit }) => {
      if (!owner) return []
      const most = Math.min(limit, memoryLimits.notes)
      const notes = await readNotes(client, owner, { search, limit: most })
      return notes.map(({ id, text, updatedAt }) => ({ id, text, date: updatedAt.toISOString() }))
    },
    textOf: async (id) => {
      if (!owner) return null
      const note = await client.memoryNote.findFirst({ where: { id, ...owner } })
      return note?.text ?? null
    },
    has: async (text) => {
      if (!owner) return false
      const where = { ...owner, textHash: hashOf(text) }
      return (await client.memoryNote.count({ where })) > 0
    },
    add: async (text) => (await addNote(tx, requireOwner(), { text, runId })) ?? noMemory(),
    replace: (id, text) => replaceNote(tx, { id, ...requireOwner() }, { text, runId }),
    delete: async (id) => {
      const { count } = await tx.memoryNote.deleteMany({ where: { id, ...requireOwner() } })
      return count > 0
    },
  }
}

function noMemory(): never {
  throw new ToolError(
    'no-memory',
    'The configuration of this run is gone, so there is no memory to write to.',
  )
}
