import { serverVerbs } from '@toolgate/server/domains/servers/verbs'
import { Server as ServerIcon } from 'lucide-react'
import type { Metadata } from 'next'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { Column } from '@/components/list/columns'
import { choiceFilter } from '@/components/list/filter-fields'
import { CardHead, nameColumn, switchColumn } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { type Server, servers } from '@/lib/domains/servers/shape'
import { factText } from '@/lib/shape/field-codec'
import type { SortKeyOf } from '@/lib/shape/resource'
import { changeServer } from '../actions'
import { KnownServers } from '../known-servers'
import { PasteConfig } from '../paste-config'
import { NewServerButton } from '../server-form'
import { Reached, ToolCounts } from '../server-state'

export const metadata: Metadata = { title: 'Servers' }

const filters = [
  choiceFilter('kind', servers.fields.kind, 'Any kind'),
  choiceFilter(
    'review',
    { label: 'Review', choices: [{ value: 'waiting', label: 'Tools to review' }] },
    'Reviewed or not',
  ),
]

const columns: Column<Server, SortKeyOf<typeof servers>>[] = [
  switchColumn(servers.fields, changeServer),
  nameColumn('Server', servers),
  {
    key: 'kind',
    head: servers.fields.kind.label,
    sort: 'text',
    className: 'max-w-96 [overflow-wrap:anywhere]',
    cell: (server) => <Place server={server} />,
  },
  { key: 'tools', head: 'Tools', cell: (server) => <ToolCounts server={server} /> },
  {
    key: 'reached',
    head: 'Reached',
    className: 'max-w-96',
    cell: (server) => <Reached server={server} />,
  },
]

/** Shows how a server is reached, and where. */
function Place({ server: { kind, url, command } }: { server: Server }) {
  return (
    <span className="flex flex-col">
      <span>{factText(servers.fields.kind, kind)}</span>
      <code className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
        <VisibleText text={url ?? command ?? ''} />
      </code>
    </span>
  )
}

/** Shows one server on a narrow screen. */
function Entry({ server }: { server: Server }) {
  return (
    <>
      <CardHead resource={servers} row={server} send={changeServer} />
      <Place server={server} />
      <ToolCounts server={server} />
      <Reached server={server} />
    </>
  )
}

export default resourceListPage(servers, serverVerbs, {
  about: 'MCP servers, whose tools runs may use once you accepted them.',
  add: (choices) => (
    <span className="flex flex-wrap gap-2">
      <KnownServers choices={choices} />
      <PasteConfig />
      <NewServerButton choices={choices} />
    </span>
  ),
  filters,
  columns,
  card: (server) => <Entry server={server} />,
  searched: 'name, address and command',
  nothing: {
    icon: ServerIcon,
    words:
      'An MCP server brings tools of its own: files, an issue tracker, a database. Pick a known one, paste the mcp.json of another program, or add one by its address or command.',
  },
})
