import { serve } from '@/lib/doors/api/endpoint'
import { checkSite } from '@/lib/probes/check-site'

export const siteEndpoints = [serve('POST', '/sites/{id}/check', checkSite)]
