import { z } from 'zod'
import { cleanText } from '@/lib/words/clean-text'
import { Denial } from './tool'

/** Limits of one note, and of all notes of one person with one configuration. The database has the same limits. */
export const memoryLimits = { characters: 4_000, notes: 200, bytes: 256 * 1024 } as const

/** Why a note was not stored: the memory has no room for another one, or for its bytes. */
export type MemoryFull = 'notes' | 'bytes'

/** Returns a text as it is stored as a note. */
export function noteText(text: string): string {
  return cleanText(text).trim()
}

/** A note that earlier runs left for a person, as `memory_read` returns it. `date` is ISO 8601. */
const PromptNote = z.object({ id: z.string(), text: z.string(), date: z.string() })
export type PromptNote = z.infer<typeof PromptNote>

/**
 * Notes at the start of a run whose configuration puts them into the prompt: newest first, with the number that did not
 * fit and the suspicious phrases found in them (SPEC T6); or the gate that refused to read them.
 */
export const PromptMemory = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('read'),
    notes: z.array(PromptNote),
    leftOut: z.int(),
    flags: z.array(z.string()),
  }),
  Denial.pick({ gate: true, reason: true, part: true }).extend({ type: z.literal('denied') }),
])
export type PromptMemory = z.infer<typeof PromptMemory>
