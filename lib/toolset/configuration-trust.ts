import type { ChainLink } from '@/lib/domains/configurations/governed-configuration'
import { dataLimit } from '@/lib/engines/runtime/policy/trust-zone'
import { type LeastTrusted, leastTrusted } from '@/lib/protocol/model-target'
import { DataClass } from '@/lib/protocol/tool'

/** `own` is what the zone of the least trusted provider lets through, `limit` what counts after an admin raised it. */
export type ConfigurationTrust = {
  least: LeastTrusted
  own: DataClass
  limit: DataClass
  /** What it can be raised to: everything above its own. */
  higher: DataClass[]
}

/**
 * Returns what may be sent to the providers of a configuration (SPEC section 4, gate 7). Disabled connections do not
 * count, because runs skip them.
 */
export function configurationTrust(
  chain: readonly ChainLink[],
  raised: DataClass | null,
): ConfigurationTrust {
  const used = chain.filter(({ enabled }, index) => enabled || index === 0)
  const least = leastTrusted(
    used.map(({ connectionName, trustZone }) => ({ connectionName, zone: trustZone })),
  )
  if (!least) throw new Error('A configuration without a model.')
  const own = dataLimit(least.zone, null)
  const higher = DataClass.options.slice(DataClass.options.indexOf(own) + 1)
  return { least, own, limit: dataLimit(least.zone, raised), higher }
}
