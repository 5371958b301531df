import { readUser } from '@/lib/domains/users/reads'
import { pageObject } from '@/lib/next/or-not-found'

/** Returns the account that an address names. */
export const findUserDetails = pageObject(readUser)
