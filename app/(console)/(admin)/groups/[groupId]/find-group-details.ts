import { pageObject } from '@/lib/auth/or-not-found'
import { groupVerbs } from '@/lib/domains/groups/verbs'

/** Returns the group that an address names. */
export const findGroupDetails = pageObject((ctx, id) => groupVerbs.read(ctx, { id }))
