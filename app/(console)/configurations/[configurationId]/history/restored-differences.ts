import { type ConfigurationDifference, diffConfigurations } from '@/lib/protocol/configuration-diff'
import type { ConfigurationForm } from '@/lib/protocol/configuration-form'

/** What bringing `old` back would change. What has a control of its own stays as it is: switch, four eyes, raise. */
export function restoredDifferences(
  now: ConfigurationForm,
  old: ConfigurationForm,
): ConfigurationDifference[] {
  const { enabled, fourEyes, raisedDataClass } = now
  return diffConfigurations(now, { ...old, enabled, fourEyes, raisedDataClass })
}
