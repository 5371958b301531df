import { searchEndpointVerbs } from '@toolgate/server/domains/search-endpoints/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { NewSearchEndpointButton } from './search-endpoint-form'

export const metadata = { title: 'Search endpoints' }

export default resourceListPage(searchEndpoints, searchEndpointVerbs, {
  about:
    'What tools may reach. A search endpoint is a service that web_search asks: the first one by name that is switched on, and the next one when it fails.',
  empty:
    'A search endpoint is a service that web_search asks: your own SearXNG server, Brave Search or Tavily.',
  add: NewSearchEndpointButton,
})
