import { workspaces } from '@/lib/domains/workspaces/shape'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { serve } from '@/lib/doors/api/endpoint'
import { resourceEndpoints } from '@/lib/doors/api/resource-endpoints'
import { readFileWrite, undoFileWrite } from '@/lib/joined-verbs'

export const workspaceEndpoints = [
  ...resourceEndpoints(workspaces, workspaceVerbs),
  serve('GET', '/file-writes/{writeId}', readFileWrite),
  serve('POST', '/file-writes/{writeId}/undo', undoFileWrite, { bodyIsOptional: true }),
]
