import { z } from 'zod'
import { isLimitedKey } from '@/lib/domains/rows/runs-within-key'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import type { Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { memoryLimits } from '@/lib/protocol/memory'
import { namedBy } from '@/lib/shape/identifier'
import { readOwnNotes } from './reads'
import { ClearMemory, EditNote, MemoryNote, NoteFilter } from './schemas'
import { replaceNote } from './store'

export const listNotes = verb({
  name: 'memory.list',
  role: 'member',
  scope: 'memory:read',
  summary: 'Lists what runs remember for the caller, with the run that wrote each note.',
  input: NoteFilter,
  output: z.object({
    notes: z.array(MemoryNote),
    total: z.number(),
    page: z.number(),
    pageSize: z.number(),
  }),
  transaction: false,
  run: async ({ ctx }, filter) => {
    const { page, pageSize } = filter
    return { ...(await readOwnNotes(ctx, filter)), page, pageSize }
  },
})

export const editNote = verb({
  name: 'memory.edit',
  role: 'member',
  scope: 'memory:write',
  summary: 'Gives a note of the caller another text.',
  input: EditNote,
  run: async ({ tx, ctx }, { id, text }) => {
    const note = await requireOwnNote(tx, ctx, id)
    if (note.text === text) return unchanged(undefined)
    const { userId, configurationId } = note
    const owner = { id: note.id, userId, configurationId }
    const replaced = await replaceNote(tx, owner, { text, runId: null })
    switch (replaced.type) {
      case 'missing':
        throw new NotFoundError('The note')
      case 'taken':
        throw new ConflictError('Another note says exactly this.', 'text')
      case 'full':
        throw new ValidationError({
          text: `The notes with one configuration have at most ${memoryLimits.bytes / 1024} KiB together.`,
        })
      case 'replaced':
        return changed(undefined, {
          subject: note.id,
          before: sizeOf(note),
          after: sizeOf({ ...note, text }),
        })
      default:
        return replaced satisfies never
    }
  },
})

export const deleteNote = verb({
  name: 'memory.delete',
  role: 'member',
  scope: 'memory:write',
  summary: 'Deletes a note of the caller.',
  input: z.object({ id: z.string().max(100) }),
  run: async ({ tx, ctx }, { id }) => {
    const note = await requireOwnNote(tx, ctx, id)
    await tx.memoryNote.deleteMany({ where: { id: note.id } })
    return changed(undefined, { subject: note.id, before: sizeOf(note) })
  },
})

export const clearMemory = verb({
  name: 'memory.clear',
  role: 'member',
  scope: 'memory:write',
  summary: 'Deletes all notes of one person, or those with one configuration.',
  reason: 'optional',
  input: ClearMemory,
  output: z.object({ deleted: z.number() }),
  run: async ({ tx, ctx }, { userId: personId, configuration: named }) => {
    const userId = personId ?? ctx.actor.userId
    if (userId !== ctx.actor.userId) {
      requireRole(ctx, 'admin')
      if (isLimitedKey(ctx))
        throw new ForbiddenError('A limited API key deletes only the notes of its owner.')
    }
    const configuration = named === undefined ? undefined : await findNamed(tx, named)
    const person = await tx.user.findUnique({ where: { id: userId }, select: { email: true } })
    if (!person || configuration === null) return unchanged({ deleted: 0 })
    const { count: deleted } = await tx.memoryNote.deleteMany({
      where: {
        userId,
        AND: [withinKey(ctx), configuration ? { configurationId: configuration.id } : {}],
      },
    })
    if (deleted === 0) return unchanged({ deleted })
    const what = { person: person.email, configuration: configuration?.name ?? null }
    return changed({ deleted }, { subject: userId, before: { ...what, notes: deleted } })
  },
})

/** Returns a note of the caller. What a note says is nobody else's to read or to change. */
async function requireOwnNote(tx: Tx, ctx: Ctx, id: string) {
  const note = await tx.memoryNote.findFirst({
    where: { id: parseId(id, 'The note'), userId: ctx.actor.userId, AND: withinKey(ctx) },
    include: { configuration: { select: { name: true } } },
  })
  if (!note) throw new NotFoundError('The note')
  return note
}

/** Returns what the audit has of a note: not what it says. */
function sizeOf({ text, configuration }: { text: string; configuration: { name: string } }) {
  return { configuration: configuration.name, characters: text.length }
}

/** Limits an API key that is limited to configurations to the notes with these. */
function withinKey({ keyLimits }: Ctx): Prisma.MemoryNoteWhereInput {
  const ids = keyLimits?.configurations ?? null
  return ids === null ? {} : { configurationId: { in: ids } }
}

/** Returns the configuration; null = there is none. A member may not find out which. */
async function findNamed(tx: Tx, name: string): Promise<{ id: string; name: string } | null> {
  const where = namedBy(name)
  return where && tx.configuration.findFirst({ where, select: { id: true, name: true } })
}
