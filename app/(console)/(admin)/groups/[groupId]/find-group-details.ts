import { groupVerbs } from '@toolgate/server/domains/groups/verbs'
import { pageObject } from '@/lib/next/or-not-found'

/** Returns the group that an address names. */
export const findGroupDetails = pageObject((ctx, id) => groupVerbs.read(ctx, { id }))
