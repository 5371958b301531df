import type { ConfigurationListing } from '@/lib/domains/configurations/schemas'

/** Returns the configuration with this id or identifier. */
export function namedConfiguration(
  configurations: readonly ConfigurationListing[],
  wanted: string | null,
): ConfigurationListing | undefined {
  return configurations.find(({ id, identifier }) => id === wanted || identifier === wanted)
}

/**
 * Returns the wanted configuration if it exists; else the first that can run, a real model with a key before the demo;
 * else the first.
 */
export function usualConfiguration(
  configurations: readonly ConfigurationListing[],
  wanted: string | null,
): string | null {
  const able = configurations.filter(({ lacksKey, fault }) => !lacksKey && fault === null)
  const found =
    namedConfiguration(configurations, wanted) ??
    able.find(({ wire }) => wire !== 'demo') ??
    able[0] ??
    configurations[0]
  return found?.id ?? null
}
