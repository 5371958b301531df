import { programs } from '@/lib/domains/programs/shape'
import { programVerbs } from '@/lib/domains/programs/verbs'
import { resourceEndpoints } from '@/lib/doors/api/resource-endpoints'

export const programEndpoints = resourceEndpoints(programs, programVerbs)
