import { countOf, utf8Bytes } from '@/lib/words/format'
import type { PromptMemory, PromptNote } from './memory'
import { type Fence, wrapUntrusted } from './model/model-text'

/** The tool that reads the same notes: its gates decide about them, and it finds those that did not fit. */
export const memoryReader = 'memory_read'

/** The most UTF-8 bytes that notes take in a prompt, without their fence. */
export const mostNoteBytes = 8 * 1024

/** Returns the notes that fit into a prompt, each whole, in their order, and how many do not. */
export function fittingNotes(notes: readonly PromptNote[]): {
  notes: PromptNote[]
  leftOut: number
} {
  const brackets = 2
  let left = mostNoteBytes - brackets
  const fitting = notes.filter((note) => {
    const comma = 1
    const bytes = utf8Bytes(JSON.stringify(note)) + comma
    if (bytes > left) return false
    left -= bytes
    return true
  })
  return { notes: fitting, leftOut: notes.length - fitting.length }
}

/**
 * Returns what notes add before a prompt: in the first user message, never in the system prompt, in a fence of the run
 * that no note can close (SPEC T6). Empty without notes.
 */
export function memoryText(memory: PromptMemory | undefined, fence: Fence): string {
  if (memory?.type !== 'read' || memory.notes.length + memory.leftOut === 0) return ''
  const { notes, leftOut } = memory
  const what = `${countOf(notes.length, 'note')} of earlier runs with this person, newest first`
  const more = leftOut === 0 ? '' : `; ${leftOut} more did not fit, and ${memoryReader} finds them`
  const inside = wrapUntrusted({ memory: 'notes' }, JSON.stringify(notes), fence)
  return `[Note from Toolgate: ${what}${more}.]\n${inside}\n\n`
}

/** Returns "Notes from memory: 3, 1 left out". */
export function memoryWords(memory: PromptMemory): string {
  if (memory.type === 'denied') return 'Notes from memory: not read'
  const { notes, leftOut } = memory
  const more = leftOut === 0 ? '' : `, ${leftOut} left out`
  return `Notes from memory: ${notes.length + leftOut === 0 ? 'none' : notes.length}${more}`
}
