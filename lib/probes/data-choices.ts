import 'server-only'
import type { ConnectionFacts } from '@/lib/domains/connections/schemas'
import type { DataChoice } from '@/lib/domains/connections/shared/connect'
import { connectionHost } from '@/lib/domains/connections/shared/wire-address'
import { hostClass } from '@/lib/engines/egress/classify-address'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import { dataLimit, isWithin } from '@/lib/engines/runtime/policy/gates'
import { withoutTemporary } from '@/lib/engines/runtime/policy/subject'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import type { TrustZone } from '@/lib/protocol/model/model-target'
import { DataClass } from '@/lib/protocol/tool'
import { loadSubject } from '@/lib/toolset/policy/load-subject'
import { toolsByName } from '@/lib/toolset/tools/installed-tools'

/** The zones that an address of each kind proves, the least trusted first. Nothing proves that a provider is in the EU. */
const provenBy = {
  public: ['external-global'],
  private: ['external-global', 'private'],
  loopback: ['external-global', 'private', 'local'],
} as const satisfies Record<string, readonly TrustZone[]>

/**
 * Returns the trust zones that a connection may get: those that its address proves, or the one that it has, the least
 * trusted first.
 */
export async function possibleZones(
  facts: Pick<ConnectionFacts, 'wire' | 'baseUrl' | 'settings' | 'trustZone'>,
  isStored: boolean,
): Promise<readonly TrustZone[]> {
  if (isStored) return [facts.trustZone]
  const host = connectionHost(facts)
  return host === null ? provenBy.public : provenBy[await hostClass(host)]
}

/** Returns the most trusted zone that allows no more than this data class, and whether the class goes beyond it. */
export function zoneFor(
  dataClass: DataClass,
  zones: readonly TrustZone[],
): Pick<DataChoice, 'trustZone' | 'isRaised'> {
  const fitting = zones.filter((zone) => isWithin(dataLimit(zone, null), dataClass))
  const trustZone = fitting.at(-1) ?? zones[0] ?? 'external-global'
  return { trustZone, isRaised: !isWithin(dataClass, dataLimit(trustZone, null)) }
}

/**
 * Returns the answers to the question which data may be sent, from the least, each with the number of tools that this
 * admin could be offered with it. A freeze does not count, because it ends.
 */
export async function dataChoices(ctx: Ctx, zones: readonly TrustZone[]): Promise<DataChoice[]> {
  const input = { userId: ctx.actor.userId, apiKeyId: null, snapshot: null, selected: null }
  const subject = withoutTemporary(await loadSubject(db(), input))
  const tools = [...(await toolsByName(db())).values()]
  const allowed = tools.filter((tool) => decideTool(tool, subject).allowed)
  const least = dataLimit(zones[0] ?? 'external-global', null)
  return DataClass.options
    .filter((dataClass) => isWithin(least, dataClass))
    .map((dataClass) => ({
      dataClass,
      tools: allowed.filter((tool) => isWithin(tool.dataClass, dataClass)).length,
      of: tools.length,
      ...zoneFor(dataClass, zones),
    }))
}
