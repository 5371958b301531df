import { pageObject } from '@/lib/auth/or-not-found'
import { readGovernedConfiguration } from '@/lib/domains/configurations/reads'

/** Returns the configuration that an address names. */
export const findConfiguration = pageObject(readGovernedConfiguration)
