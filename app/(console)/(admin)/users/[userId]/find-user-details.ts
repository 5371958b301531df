import { readUser } from '@toolgate/server/domains/users/reads'
import { pageObject } from '@/lib/next/or-not-found'

/** Returns the account that an address names. */
export const findUserDetails = pageObject(readUser)
