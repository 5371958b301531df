import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { searchEndpointVerbs } from '@/lib/domains/search-endpoints/verbs'
import { testSearchEndpoint } from '@/lib/toolset/test-search-endpoint'
import { serve } from './endpoint'
import { resourceEndpoints } from './resource-endpoints'

export const searchEndpointEndpoints = [
  ...resourceEndpoints(searchEndpoints, searchEndpointVerbs),
  serve('POST', '/search-endpoints/{id}/test', testSearchEndpoint),
]
