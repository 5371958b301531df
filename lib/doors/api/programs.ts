import { programs } from '../../domains/programs/shape'
import { programVerbs } from '../../domains/programs/verbs'
import { resourceEndpoints } from './resource-endpoints'

export const programEndpoints = resourceEndpoints(programs, programVerbs)
