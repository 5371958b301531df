import { cleanText } from './clean-text'

/** What one note, and all notes of one person with one configuration, may take. The database has the same limits. */
export const memoryLimits = { characters: 4_000, notes: 200, bytes: 256 * 1024 } as const

/** Why a note was not stored: the memory has no room for another one, or for its bytes. */
export type MemoryFull = 'notes' | 'bytes'

/** Returns a text as it is stored as a note. */
export function noteText(text: string): string {
  return cleanText(text).trim()
}
