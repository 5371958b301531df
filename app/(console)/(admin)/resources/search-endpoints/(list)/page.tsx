import { searchEndpointVerbs } from '@toolgate/server/domains/search-endpoints/verbs'
import { Search } from 'lucide-react'
import type { Metadata } from 'next'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { Column } from '@/components/list/columns'
import {
  CardHead,
  fieldColumn,
  nameColumn,
  privateColumn,
  switchColumn,
} from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { type SearchEndpoint, searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { factText } from '@/lib/shape/field-codec'
import type { SortKeyOf } from '@/lib/shape/resource'
import { changeSearchEndpoint } from '../actions'
import { NewSearchEndpointButton } from '../search-endpoint-form'

export const metadata: Metadata = { title: 'Search endpoints' }

const { fields } = searchEndpoints

const columns: Column<SearchEndpoint, SortKeyOf<typeof searchEndpoints>>[] = [
  switchColumn(fields, changeSearchEndpoint),
  nameColumn('Search endpoint', searchEndpoints),
  fieldColumn(fields, 'kind', 'text'),
  {
    key: 'address',
    head: fields.address.label,
    className: 'max-w-96 [overflow-wrap:anywhere]',
    cell: (endpoint) => <Address endpoint={endpoint} />,
  },
  {
    key: 'key',
    head: fields.key.label,
    cell: ({ secrets }) => (secrets.includes('key') ? 'stored' : 'none'),
  },
  privateColumn,
]

function Address({ endpoint }: { endpoint: SearchEndpoint }) {
  return <VisibleText text={factText(fields.address, endpoint.address, endpoint)} />
}

/** Shows one search endpoint on a narrow screen. */
function Entry({ endpoint }: { endpoint: SearchEndpoint }) {
  return (
    <>
      <CardHead resource={searchEndpoints} row={endpoint} send={changeSearchEndpoint} />
      <span className="text-muted text-sm [overflow-wrap:anywhere]">
        {factText(fields.kind, endpoint.kind)}: <Address endpoint={endpoint} />
      </span>
    </>
  )
}

export default resourceListPage(searchEndpoints, searchEndpointVerbs, {
  about:
    'What tools may reach. A search endpoint is a service that web_search asks: the first one by name that is switched on, and the next one when it fails.',
  add: (choices) => <NewSearchEndpointButton choices={choices} />,
  columns,
  card: (endpoint) => <Entry endpoint={endpoint} />,
  searched: 'name and address',
  nothing: {
    icon: Search,
    words:
      'A search endpoint is a service that web_search asks: your own SearXNG server, Brave Search or Tavily.',
  },
})
