import { workspaces } from '@/lib/domains/workspaces/shape'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { readFileWrite, undoFileWrite } from '@/lib/toolset/file-writes'
import { serve } from './endpoint'
import { resourceEndpoints } from './resource-endpoints'

export const workspaceEndpoints = [
  ...resourceEndpoints(workspaces, workspaceVerbs),
  serve('GET', '/file-writes/{writeId}', readFileWrite),
  serve('POST', '/file-writes/{writeId}/undo', undoFileWrite, { bodyIsOptional: true }),
]
