import { listMemorySizes } from '@/lib/domains/memory/reads'
import { clearMemory, deleteNote, editNote, listNotes } from '@/lib/domains/memory/verbs'
import { serve } from '@/lib/doors/api/endpoint'

export const memoryEndpoints = [
  serve('GET', '/memory', listNotes),
  serve('DELETE', '/memory', clearMemory),
  serve('GET', '/memory/sizes', listMemorySizes),
  serve('PATCH', '/memory/{id}', editNote),
  serve('DELETE', '/memory/{id}', deleteNote),
]
