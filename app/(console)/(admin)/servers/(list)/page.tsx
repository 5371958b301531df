import { serverVerbs } from '@toolgate/server/domains/servers/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import { choiceFilter } from '@/components/list/filter-fields'
import type { OwnColumn } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { type Server, servers } from '@/lib/domains/servers/shape'
import { factText } from '@/lib/shape/field-codec'
import { AddServer } from '../add-server'
import { Reached, ToolCounts } from '../server-state'

export const metadata = { title: 'Servers' }

const filters = [
  choiceFilter('kind', servers.fields.kind, 'Any kind'),
  choiceFilter(
    'review',
    { label: 'Review', choices: [{ value: 'waiting', label: 'Tools to review' }] },
    'Reviewed or not',
  ),
]

const columns: OwnColumn<typeof servers>[] = [
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

/** Shows what the card of a server says below its name. */
function Entry({ server }: { server: Server }) {
  return (
    <>
      <Place server={server} />
      <ToolCounts server={server} />
      <Reached server={server} />
    </>
  )
}

export default resourceListPage(servers, serverVerbs, {
  about: 'MCP servers, whose tools runs may use once accepted.',
  empty: 'Pick a known one, or paste an mcp.json.',
  add: AddServer,
  filters,
  columns,
  card: (server) => <Entry server={server} />,
  searched: 'name, address and command',
})
