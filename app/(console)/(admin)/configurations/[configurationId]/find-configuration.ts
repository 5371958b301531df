import { readGovernedConfiguration } from '@toolgate/server/domains/configurations/reads'
import { pageObject } from '@/lib/next/or-not-found'

/** Returns the configuration that an address names. */
export const findConfiguration = pageObject(readGovernedConfiguration)
