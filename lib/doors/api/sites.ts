import { sites } from '../../domains/sites/shape'
import { siteVerbs } from '../../domains/sites/verbs'
import { checkSite } from '../../toolset/check-site'
import { serve } from './endpoint'
import { resourceEndpoints } from './resource-endpoints'

export const siteEndpoints = [
  ...resourceEndpoints(sites, siteVerbs),
  serve('POST', '/sites/{id}/check', checkSite),
]
