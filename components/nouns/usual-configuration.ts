import type { ConfigurationListing } from '@toolgate/server/domains/configurations/schemas'

/** Returns the configuration with this id or identifier. */
export function namedConfiguration(
  configurations: readonly ConfigurationListing[],
  wanted: string | null,
): ConfigurationListing | undefined {
  return configurations.find(({ id, identifier }) => id === wanted || identifier === wanted)
}

/**
 * Returns the wanted configuration if it exists; else the newest of a real model that can run; else the demo, or the
 * first.
 */
export function usualConfiguration(
  configurations: readonly ConfigurationListing[],
  wanted: string | null,
): string | null {
  const able = configurations.filter(({ lacksKey, fault }) => !lacksKey && fault === null)
  const found =
    namedConfiguration(configurations, wanted) ??
    able
      .filter(({ wire }) => wire !== 'demo')
      .reduce<ConfigurationListing | undefined>(newer, undefined) ??
    able[0] ??
    configurations[0]
  return found?.id ?? null
}

/** Ids begin with their time. */
function newer(
  one: ConfigurationListing | undefined,
  other: ConfigurationListing,
): ConfigurationListing {
  return one && one.id > other.id ? one : other
}
