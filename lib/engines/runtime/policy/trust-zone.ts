import type { TrustZone } from '@/lib/protocol/model-target'
import { dataClassWords, inSentence, zoneWords } from '@/lib/protocol/setting-words'
import { DataClass } from '@/lib/protocol/tool'
import type { Gate } from './gate'

/** The most sensitive data that may be sent to a provider of each zone (SPEC section 4, gate 7). */
const mostSensitive: Record<TrustZone, DataClass> = {
  local: 'secret-adjacent',
  private: 'diagnostics',
  'external-eu': 'internal-config',
  'external-global': 'content',
}

const sensitivity = (dataClass: DataClass): number => DataClass.options.indexOf(dataClass)

/** What may be sent to a provider of `zone`, or what an admin raised it to: never less than the zone's own. */
export function dataLimit(zone: TrustZone, raised: DataClass | null): DataClass {
  const own = mostSensitive[zone]
  return raised !== null && sensitivity(raised) > sensitivity(own) ? raised : own
}

/** Whether data of this class may go where data up to `limit` may. */
export function isWithin(dataClass: DataClass, limit: DataClass): boolean {
  return sensitivity(dataClass) <= sensitivity(limit)
}

/** "internal configuration" */
export function className(dataClass: DataClass): string {
  return inSentence(dataClassWords[dataClass])
}

/** "OpenAI (external, global) may receive data up to content." */
export function receives(connectionName: string, zone: TrustZone, limit: DataClass): string {
  return `${connectionName} (${inSentence(zoneWords[zone])}) may receive data up to ${className(limit)}.`
}

/** Gate 7: what a tool returns may be seen by every provider of the run's chain, so the least trusted one decides. */
export const trustZone: Gate = {
  name: 'trust-zone',
  denies: (tool, { configuration }) => {
    if (!configuration) return null
    const { leastTrusted, raisedDataClass } = configuration
    const limit = dataLimit(leastTrusted.zone, raisedDataClass)
    if (isWithin(tool.dataClass, limit)) return null
    const { connectionName, zone } = leastTrusted
    return `It returns ${className(tool.dataClass)} data, and ${receives(connectionName, zone, limit)}`
  },
}
