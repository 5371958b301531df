import { serve } from '@/lib/doors/api/endpoint'
import { readFileWrite, undoFileWrite } from '@/lib/joined-verbs'

export const workspaceEndpoints = [
  serve('GET', '/file-writes/{writeId}', readFileWrite),
  serve('POST', '/file-writes/{writeId}/undo', undoFileWrite, { bodyIsOptional: true }),
]
