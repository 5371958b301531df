import type { TrustZone } from '@/lib/protocol/model-target'
import { DataClass } from '@/lib/protocol/tool'
import type { Gate } from './gate'
import type { LeastTrusted } from './subject'

/** The most sensitive data that may be sent to a provider of each zone (SPEC section 4, gate 7). */
const mostSensitive: Record<TrustZone, DataClass> = {
  local: 'secret-adjacent',
  private: 'diagnostics',
  'external-eu': 'internal-config',
  'external-global': 'content',
}

/** From the least to the most trusted. */
const zones: readonly TrustZone[] = ['external-global', 'external-eu', 'private', 'local']

const sensitivity = (dataClass: DataClass): number => DataClass.options.indexOf(dataClass)

/** The less trusted of two zones. */
export function lessTrusted(a: TrustZone, b: TrustZone): TrustZone {
  return isBelow(b, a) ? b : a
}

/** The one of a chain that decides for all: what is sent may be seen by each. Undefined for an empty chain. */
export function leastTrusted(chain: readonly LeastTrusted[]): LeastTrusted | undefined {
  const [first, ...others] = chain
  return (
    first && others.reduce((least, next) => (isBelow(next.zone, least.zone) ? next : least), first)
  )
}

function isBelow(a: TrustZone, b: TrustZone): boolean {
  return zones.indexOf(a) < zones.indexOf(b)
}

/** What may be sent to a provider of `zone`, or what an admin raised it to: never less than the zone's own. */
export function dataLimit(zone: TrustZone, raised: DataClass | null): DataClass {
  const own = mostSensitive[zone]
  return raised !== null && sensitivity(raised) > sensitivity(own) ? raised : own
}

/** Gate 7: what a tool returns may be seen by every provider of the run's chain, so the least trusted one decides. */
export const trustZone: Gate = {
  name: 'trust-zone',
  denies: (tool, { configuration }) => {
    if (!configuration) return null
    const { leastTrusted, raisedDataClass } = configuration
    const limit = dataLimit(leastTrusted.zone, raisedDataClass)
    if (sensitivity(tool.dataClass) <= sensitivity(limit)) return null
    return `It returns ${tool.dataClass} data, and ${leastTrusted.connectionName} (${leastTrusted.zone}) may be sent ${limit} at most.`
  },
}
