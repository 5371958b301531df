/**
 * Tiers that never cost more than a model's prices. `auto` is whatever an account has set, which is taken for the same.
 */
const listTiers: ReadonlySet<string> = new Set([
  'auto',
  'default',
  'standard',
  'standard_only',
  'flex',
  'batch',
  'on_demand',
])

/** Returns whether a service tier costs no more than a model's prices. */
export function isListTier(tier: string): boolean {
  return listTiers.has(tier.trim().toLowerCase())
}
