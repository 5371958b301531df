import { needsLinux, suggestFolder } from '@toolgate/server/domains/workspaces/folder'
import { workspaceVerbs } from '@toolgate/server/domains/workspaces/verbs'
import type { Params } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import { FolderOpen } from 'lucide-react'
import type { Metadata } from 'next'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { Column } from '@/components/list/columns'
import type { ReferenceChoices } from '@/components/resource/resource-form'
import { CardHead, nameColumn, switchColumn } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { type Workspace, workspaces } from '@/lib/domains/workspaces/shape'
import type { SortKeyOf } from '@/lib/shape/resource'
import { changeWorkspace } from '../actions'
import { NewWorkspaceButton, SuggestedWorkspace } from '../workspace-form'

export const metadata: Metadata = { title: 'Workspaces' }

const columns: Column<Workspace, SortKeyOf<typeof workspaces>>[] = [
  switchColumn(workspaces.fields, changeWorkspace),
  nameColumn('Workspace', workspaces),
  {
    key: 'folder',
    head: workspaces.fields.folder.label,
    className: 'max-w-80 [overflow-wrap:anywhere]',
    cell: ({ realFolder }) => <Folder path={realFolder} />,
  },
  {
    key: 'writable',
    head: workspaces.fields.writable.label,
    cell: ({ writable }) => (writable ? 'yes' : <span className="text-muted">no</span>),
  },
  {
    key: 'groups',
    head: workspaces.fields.groupIds.label,
    className: 'max-w-80 [overflow-wrap:anywhere]',
    cell: ({ groups }) => <VisibleText text={groupsText(groups)} />,
  },
]

function Folder({ path }: { path: string }) {
  return (
    <code className="font-mono text-mono">
      <VisibleText text={path} />
    </code>
  )
}

function groupsText(groups: Workspace['groups']): string {
  return groups.map(({ name }) => name).join(', ') || 'admins only'
}

/** Shows one workspace on a narrow screen. */
function Entry({ workspace }: { workspace: Workspace }) {
  return (
    <>
      <CardHead resource={workspaces} row={workspace} send={changeWorkspace} />
      <span className="text-muted text-sm [overflow-wrap:anywhere]">
        <Folder path={workspace.realFolder} />
        {workspace.writable && ', tools may write'}
      </span>
    </>
  )
}

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
  about: 'What tools may reach. A workspace is a folder of the server whose files they may use.',
  add: (choices) => <NewWorkspaceButton choices={choices} />,
  columns,
  card: (workspace) => <Entry workspace={workspace} />,
  searched: 'name, folder and note',
  nothing: {
    icon: FolderOpen,
    words:
      'A workspace is a folder of the server whose files tools may list, read and search, and write where you allow it.',
  },
  readAbove,
})
