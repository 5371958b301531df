import { needsLinux, suggestFolder } from '@toolgate/server/domains/workspaces/folder'
import { workspaceVerbs } from '@toolgate/server/domains/workspaces/verbs'
import { readResourceList } from '@toolgate/server/edge/resource-list'
import { FolderOpen } from 'lucide-react'
import type { Metadata } from 'next'
import { ResourceTabs } from '@/app/(console)/(admin)/resources/resource-tabs'
import type { Column } from '@/components/list/columns'
import { CardHead, nameColumn, switchColumn } from '@/components/resource/resource-list'
import { ResourceListPage } from '@/components/resource/resource-list-page'
import { VisibleText } from '@/components/trace/visible-text'
import { type Workspace, workspaces } from '@/lib/domains/workspaces/shape'
import { readReferenceChoices } from '@/lib/next/reference-choices'
import { requireAdmin } from '@/lib/next/require-user'
import type { SortKeyOf } from '@/lib/shape/resource'
import { changeWorkspace } from '../actions'
import { NewWorkspaceButton, SuggestedWorkspace } from '../workspace-form'

export const metadata: Metadata = { title: 'Workspaces' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

/** Lists the workspaces. `?add=NAME` opens the form of a new one with this name and a folder that the server suggests. */
export default async function WorkspacesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const params = await searchParams
  const [list, choices] = await Promise.all([
    readResourceList(ctx, workspaces, workspaceVerbs, params),
    readReferenceChoices(ctx, workspaces),
  ])
  const name = workspaces.fields.name.schema.safeParse(params.add).data
  const suggested = name === undefined ? null : { name, folder: await suggestFolder(name) }
  return (
    <ResourceListPage
      title="Resources"
      about="What tools may reach. A workspace is a folder of the server whose files they may use."
      add={<NewWorkspaceButton choices={choices} />}
      resource={workspaces}
      list={list}
      columns={columns}
      card={(workspace) => <Entry workspace={workspace} />}
      searched="name, folder and note"
      nothing={{
        icon: FolderOpen,
        title: 'No workspaces yet',
        words:
          'A workspace is a folder of the server whose files tools may list, read and search, and write where you allow it.',
      }}
    >
      <ResourceTabs current="/resources/workspaces" />
      {suggested && <SuggestedWorkspace suggested={suggested} choices={choices} />}
      {process.platform !== 'linux' && <p className="text-warning">{needsLinux}</p>}
    </ResourceListPage>
  )
}

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
