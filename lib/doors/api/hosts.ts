import { hosts } from '../../domains/hosts/shape'
import { hostVerbs } from '../../domains/hosts/verbs'
import { resourceEndpoints } from './resource-endpoints'

export const hostEndpoints = resourceEndpoints(hosts, hostVerbs)
