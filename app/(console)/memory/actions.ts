'use server'
import { clearMemory, deleteNote, editNote } from '@toolgate/server/domains/memory/verbs'
import { action } from '@/lib/next/action'

export const changeNote = action(editNote)
export const removeNote = action(deleteNote)
export const removeNotes = action(clearMemory)
