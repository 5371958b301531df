import { sites } from '@/lib/domains/sites/shape'
import { siteVerbs } from '@/lib/domains/sites/verbs'
import { checkSite } from '@/lib/toolset/check-site'
import { serve } from './endpoint'
import { resourceEndpoints } from './resource-endpoints'

export const siteEndpoints = [
  ...resourceEndpoints(sites, siteVerbs),
  serve('POST', '/sites/{id}/check', checkSite),
]
