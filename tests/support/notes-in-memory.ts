import type { ToolResources } from '@/lib/engines/tools/tool-resources'
import { memoryLimits } from '@/lib/protocol/memory'

/** Returns notes of one person with one configuration that are kept in this process, with the limits of the database. */
export function notesInMemory(): ToolResources['memory'] {
  const notes: { id: string; text: string; date: string }[] = []
  const idOf = (text: string) => notes.find((note) => note.text === text)?.id
  const bytesWith = (text: string, without = '') =>
    notes.reduce(
      (sum, note) => sum + (note.id === without ? 0 : Buffer.byteLength(note.text)),
      Buffer.byteLength(text),
    )
  let added = 0
  return {
    read: async ({ search, limit }) =>
      notes.filter(({ text }) => search === null || text.includes(search)).slice(0, limit),
    textOf: async (id) => notes.find((note) => note.id === id)?.text ?? null,
    has: async (text) => idOf(text) !== undefined,
    add: async (text) => {
      const known = idOf(text)
      if (known !== undefined) return { type: 'stored', id: known, isNew: false }
      if (notes.length === memoryLimits.notes) return { type: 'full', of: 'notes' }
      if (bytesWith(text) > memoryLimits.bytes) return { type: 'full', of: 'bytes' }
      added += 1
      const id = `0198a000-0000-7000-8000-${String(added).padStart(12, '0')}`
      notes.unshift({ id, text, date: '2026-01-01T00:00:00.000Z' })
      return { type: 'stored', id, isNew: true }
    },
    replace: async (id, text) => {
      const note = notes.find((each) => each.id === id)
      if (!note) return { type: 'missing' }
      if (idOf(text) !== undefined && idOf(text) !== id) return { type: 'taken' }
      if (bytesWith(text, id) > memoryLimits.bytes) return { type: 'full', of: 'bytes' }
      note.text = text
      return { type: 'replaced' }
    },
    delete: async (id) => {
      const place = notes.findIndex((note) => note.id === id)
      if (place >= 0) notes.splice(place, 1)
      return place >= 0
    },
  }
}
