import { sites } from '@/lib/domains/sites/shape'
import { siteVerbs } from '@/lib/domains/sites/verbs'
import { serve } from '@/lib/doors/api/endpoint'
import { resourceEndpoints } from '@/lib/doors/api/resource-endpoints'
import { checkSite } from '@/lib/probes/check-site'

export const siteEndpoints = [
  ...resourceEndpoints(sites, siteVerbs),
  serve('POST', '/sites/{id}/check', checkSite),
]
