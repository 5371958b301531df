import { serve } from '@/lib/doors/api/endpoint'
import { testSearchEndpoint } from '@/lib/probes/test-search-endpoint'

export const searchEndpointEndpoints = [
  serve('POST', '/search-endpoints/{id}/test', testSearchEndpoint),
]
