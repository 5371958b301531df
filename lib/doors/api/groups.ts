import { groups } from '../../domains/groups/shape'
import { groupVerbs } from '../../domains/groups/verbs'
import { resourceEndpoints } from './resource-endpoints'

export const groupEndpoints = resourceEndpoints(groups, groupVerbs, { isPaged: true })
