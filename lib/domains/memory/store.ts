import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Prisma } from '@/lib/generated/prisma/client'
import { failedCheck } from '@/lib/kernel/database-errors'
import { type ChangeTx, isUniqueViolation, type Tx } from '@/lib/kernel/db'
import { newId } from '@/lib/kernel/new-id'
import type { MemoryFull } from '@/lib/protocol/memory'

/** Owner of notes: a person with one configuration. */
export type NoteOwner = { userId: string; configurationId: string }

/** Text of a note, and the run that wrote it; null: its person did. */
type Written = { text: string; runId: string | null }

type Full = { type: 'full'; of: MemoryFull }

type Writing = Pick<ChangeTx, 'memoryNote' | 'configuration'>

/**
 * Adds a note, or finds the one with this text. The limits are those of the database, so that no two processes pass them
 * together. Null = there is no such configuration.
 */
export async function addNote(
  tx: Writing,
  { userId, configurationId }: NoteOwner,
  { text, runId }: Written,
): Promise<{ type: 'stored'; id: string; isNew: boolean } | Full | null> {
  const key = { userId, configurationId, textHash: hashOf(text) }
  if (!(await tx.configuration.findUnique({ where: { id: configurationId } }))) return null
  const now = new Date()
  const added = await unlessFull(async () => {
    const rows = await tx.memoryNote.createManyAndReturn({
      data: { id: newId(), ...key, text, runId, createdAt: now, updatedAt: now },
      skipDuplicates: true,
      select: { id: true },
    })
    return { type: 'stored' as const, id: rows[0]?.id }
  })
  if (added.type === 'full') return added
  if (added.id !== undefined) return { type: 'stored', id: added.id, isNew: true }
  const known = await tx.memoryNote.findFirst({ where: key, select: { id: true } })
  return known && { type: 'stored', id: known.id, isNew: false }
}

/** Gives a note of this owner another text. `taken` = another note of theirs has it already. */
export async function replaceNote(
  tx: Writing,
  { id, ...owner }: NoteOwner & { id: string },
  { text, runId }: Written,
): Promise<Full | { type: 'replaced' | 'missing' | 'taken' }> {
  const data = { text, textHash: hashOf(text), runId, updatedAt: new Date() }
  try {
    return await unlessFull(async () => {
      const { count } = await tx.memoryNote.updateMany({ where: { id, ...owner }, data })
      return { type: count === 0 ? 'missing' : 'replaced' }
    })
  } catch (error) {
    if (isUniqueViolation(error)) return { type: 'taken' }
    throw error
  }
}

const constraints: Record<MemoryFull, string> = {
  notes: 'memory_sizes_notes',
  bytes: 'memory_sizes_bytes',
}

async function unlessFull<T>(work: () => Promise<T>): Promise<T | Full> {
  try {
    return await work()
  } catch (error) {
    if (failedCheck(error, constraints.notes)) return { type: 'full', of: 'notes' }
    if (failedCheck(error, constraints.bytes)) return { type: 'full', of: 'bytes' }
    throw error
  }
}

export type SearchedNotes = {
  where: Prisma.Sql
  /** Words as people type them into a search engine; null = all notes. */
  search: string | null
}

/**
 * Returns the notes that a search finds, as a query over `memory_notes` named `found`: those that have the words; where
 * there is none, those that have what was typed as a part of them.
 */
export function foundNotes({ where, search }: SearchedNotes): Prisma.Sql {
  if (search === null) return Prisma.sql`found AS (SELECT * FROM memory_notes WHERE ${where})`
  return Prisma.sql`
    mine AS (SELECT * FROM memory_notes WHERE ${where}),
    worded AS (SELECT * FROM mine
      WHERE to_tsvector('simple', text) @@ websearch_to_tsquery('simple', ${search})),
    found AS (SELECT * FROM worded UNION ALL SELECT * FROM mine
      WHERE NOT EXISTS (SELECT FROM worded) AND position(lower(${search}) IN lower(text)) > 0)`
}

const Note = z.object({ id: z.string(), text: z.string(), updatedAt: z.date() })

/** Returns the newest notes of one owner that a search finds. */
export async function readNotes(
  client: Tx,
  { userId, configurationId }: NoteOwner,
  { search, limit }: { search: string | null; limit: number },
) {
  const where = Prisma.sql`"userId" = ${userId}::uuid AND "configurationId" = ${configurationId}::uuid`
  const rows = await client.$queryRaw<unknown[]>`
    WITH ${foundNotes({ where, search })}
    SELECT id, text, "updatedAt" FROM found ORDER BY "updatedAt" DESC, id DESC LIMIT ${limit}`
  return z.array(Note).parse(rows)
}

/** Returns the SHA-256 of a text, hexadecimal. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
