import { groups } from '@/lib/domains/groups/shape'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { resourceEndpoints } from '@/lib/doors/api/resource-endpoints'

export const groupEndpoints = resourceEndpoints(groups, groupVerbs, { isPaged: true })
