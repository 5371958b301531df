import type { ConfigurationListing } from '@/lib/configurations/schemas'

/** The wanted one if it is there; else the first that is a real model, else the first. */
export function usualConfiguration(
  configurations: readonly ConfigurationListing[],
  id: string | null,
): string | null {
  const found =
    configurations.find((each) => each.id === id) ??
    configurations.find((each) => each.wire !== 'demo') ??
    configurations[0]
  return found?.id ?? null
}
