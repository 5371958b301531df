import { TrustZone } from './model-target'
import type { DataClass } from './tool'

/** `before` and `after` are the zones of a configuration's whole chain. */
type ChainChange = { before: readonly TrustZone[]; after: readonly TrustZone[] }

/**
 * The raised data class after the chain changed. It was let out to the providers there were: where one is added, or
 * comes to be, that is trusted less than all of them, the raise does not go along, and has to be decided anew.
 */
export function keptRaise(
  raised: DataClass | null,
  { before, after }: ChainChange,
): DataClass | null {
  return leastTrusted(after) > leastTrusted(before) ? null : raised
}

function leastTrusted(zones: readonly TrustZone[]): number {
  return Math.max(...zones.map((zone) => TrustZone.options.indexOf(zone)))
}
