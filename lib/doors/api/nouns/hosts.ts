import { hosts } from '@/lib/domains/hosts/shape'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { resourceEndpoints } from '@/lib/doors/api/resource-endpoints'

export const hostEndpoints = resourceEndpoints(hosts, hostVerbs)
