import { needsLinux, suggestFolder } from '@toolgate/server/domains/workspaces/folder'
import { workspaceVerbs } from '@toolgate/server/domains/workspaces/verbs'
import type { Params } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { ReferenceChoices } from '@/components/resource/resource-form'
import { workspaces } from '@/lib/domains/workspaces/shape'
import { NewWorkspaceButton, SuggestedWorkspace } from './workspace-form'

export const metadata = { title: 'Workspaces' }

/** Reads the form of a new workspace for `?add=NAME`, with a folder that the server suggests, and the warning of this system. */
async function readAbove(_ctx: Ctx, params: Params) {
  const name = workspaces.fields.name.schema.safeParse(params.add).data
  const suggested = name === undefined ? null : { name, folder: await suggestFolder(name) }
  return (choices: ReferenceChoices) => (
    <>
      {suggested && <SuggestedWorkspace suggested={suggested} choices={choices} />}
      {process.platform !== 'linux' && <p className="text-warning">{needsLinux}</p>}
    </>
  )
}

export default resourceListPage(workspaces, workspaceVerbs, {
  about: 'Folders of the server whose files tools may use.',
  add: NewWorkspaceButton,
  readAbove,
})
