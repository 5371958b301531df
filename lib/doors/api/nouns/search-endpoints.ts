import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { searchEndpointVerbs } from '@/lib/domains/search-endpoints/verbs'
import { serve } from '@/lib/doors/api/endpoint'
import { resourceEndpoints } from '@/lib/doors/api/resource-endpoints'
import { testSearchEndpoint } from '@/lib/probes/test-search-endpoint'

export const searchEndpointEndpoints = [
  ...resourceEndpoints(searchEndpoints, searchEndpointVerbs),
  serve('POST', '/search-endpoints/{id}/test', testSearchEndpoint),
]
