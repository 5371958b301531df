import { z } from 'zod'
import { memoryLimits, noteText } from '@/lib/protocol/memory'
import { sortOrder } from '@/lib/shape/resource'
import { formatCount } from '@/lib/words/format'

const { characters } = memoryLimits

/** A note as its person reads it. Times are ISO text in UTC; `run` null = the person wrote the text. */
export const MemoryNote = z.object({
  id: z.string(),
  text: z.string(),
  configuration: z.object({ id: z.string(), name: z.string() }),
  run: z.object({ id: z.string(), prompt: z.string() }).nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type MemoryNote = z.output<typeof MemoryNote>

const noteSortKeys = ['configuration', 'changed'] as const
export type NoteSortKey = (typeof noteSortKeys)[number]
export const defaultNoteSort = '-changed' as const

const Paged = z.object({
  search: z.string().trim().max(200).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(25),
})

export const NoteFilter = Paged.extend({
  search: Paged.shape.search.meta({
    description: 'Words of the note; where no note has them, what was typed as a part of it.',
  }),
  configuration: z.string().trim().max(100).optional().meta({ description: 'Id or identifier.' }),
  sort: sortOrder(noteSortKeys, defaultNoteSort).default(defaultNoteSort),
})
export type NoteFilter = z.output<typeof NoteFilter>

const sizeSortKeys = ['person', 'configuration', 'notes', 'size'] as const
export type SizeSortKey = (typeof sizeSortKeys)[number]
export const defaultSizeSort = 'person' as const

export const SizeFilter = Paged.extend({
  search: Paged.shape.search.meta({
    description: 'A part of the e-mail address or of the name of the configuration.',
  }),
  sort: sortOrder(sizeSortKeys, defaultSizeSort).default(defaultSizeSort),
})
export type SizeFilter = z.output<typeof SizeFilter>

/** Number of notes that one person has with one configuration, and their UTF-8 bytes; never their text. */
export const MemorySize = z.object({
  person: z.object({ id: z.string(), email: z.string() }),
  configuration: z.object({ id: z.string(), name: z.string() }),
  notes: z.number(),
  bytes: z.number(),
})
export type MemorySize = z.output<typeof MemorySize>

export const EditNote = z.object({
  id: z.string().max(100),
  text: z
    .string()
    .transform(noteText)
    .pipe(
      z
        .string()
        .min(1, 'Enter a text.')
        .max(characters, `A note has at most ${formatCount(characters)} characters.`),
    ),
})

export const ClearMemory = z.object({
  userId: z.uuid().optional().meta({
    description: 'Whose notes; without it, one’s own. Only admins may name somebody else.',
  }),
  configuration: z.string().trim().min(1).max(100).optional().meta({
    description: 'Id or identifier; without it, the notes with all configurations.',
  }),
})
