import { pageObject } from '@/lib/auth/or-not-found'
import { readUser } from '@/lib/domains/users/reads'

/** Returns the account that an address names. */
export const findUserDetails = pageObject(readUser)
