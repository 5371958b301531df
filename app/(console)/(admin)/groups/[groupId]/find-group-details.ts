import { pageObject } from '@/lib/auth/or-not-found'
import { readGroup } from '@/lib/domains/groups/reads'

/** Returns the group that an address names. */
export const findGroupDetails = pageObject(readGroup)
