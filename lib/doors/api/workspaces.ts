import { workspaces } from '../../domains/workspaces/shape'
import { workspaceVerbs } from '../../domains/workspaces/verbs'
import { readFileWrite, undoFileWrite } from '../../toolset/file-writes'
import { serve } from './endpoint'
import { resourceEndpoints } from './resource-endpoints'

export const workspaceEndpoints = [
  ...resourceEndpoints(workspaces, workspaceVerbs),
  serve('GET', '/file-writes/{writeId}', readFileWrite),
  serve('POST', '/file-writes/{writeId}/undo', undoFileWrite, { bodyIsOptional: true }),
]
