import { searchEndpointVerbs } from '@toolgate/server/domains/search-endpoints/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { NewSearchEndpointButton } from './search-endpoint-form'

export const metadata = { title: 'Search endpoints' }

export default resourceListPage(searchEndpoints, searchEndpointVerbs, {
  about: 'Services that web_search asks, by name, until one answers.',
  add: NewSearchEndpointButton,
})
