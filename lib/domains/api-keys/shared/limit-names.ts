import { z } from 'zod'

/** Names in limits of API keys and groups; left out = they stay. */
export const LimitNames = z.array(z.string().min(1).max(100)).max(500).nullable().optional()

/** Returns the names that were not there before: those of tools that are gone may stay. */
export function added(now: readonly string[] | null, before: readonly string[] | null): string[] {
  return (now ?? []).filter((name) => !before?.includes(name))
}

export function sorted(names: readonly string[] | null): string[] | null {
  return names && [...new Set(names)].sort()
}
