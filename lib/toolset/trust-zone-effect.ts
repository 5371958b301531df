import 'server-only'
import type {
  ChainLink,
  GovernedConfiguration,
} from '@/lib/domains/configurations/governed-configuration'
import { listGovernedConfigurations } from '@/lib/domains/configurations/list-governed-configurations'
import { requireConnection } from '@/lib/domains/connections/reads'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { keptRaise, type TrustZone } from '@/lib/protocol/model-target'
import { DataClass } from '@/lib/protocol/tool'
import { configurationTrust } from './configuration-trust'
import { readListings } from './tool-verbs'

/** What another trust zone of one connection does to one configuration: which tools it opens, and which it closes. */
export type ZoneEffect = {
  configuration: { id: string; name: string }
  before: DataClass
  after: DataClass
  opens: string[]
  closes: string[]
}

/**
 * Returns how the answers of gate 7 (SPEC section 4) would change if this connection had another trust zone. There is
 * an entry for each configuration whose limit changes, also because its raised data class would be reset. A lower limit
 * affects active runs, a higher one later runs. Admins only.
 */
export async function trustZoneEffect(
  ctx: Ctx,
  connectionId: string,
  zone: TrustZone,
): Promise<ZoneEffect[]> {
  requireRole(ctx, 'admin')
  const { name } = await requireConnection(connectionId)
  const [configurations, tools] = await Promise.all([
    listGovernedConfigurations(ctx),
    readListings(),
  ])
  return configurations.flatMap((configuration) => {
    const { before, after } = limits(configuration, name, zone)
    if (before === after) return []
    const within = (limit: DataClass) =>
      new Set(tools.filter((tool) => !tool.unavailable && fits(tool.dataClass, limit)))
    const [then, now] = [within(before), within(after)]
    return {
      configuration: { id: configuration.id, name: configuration.name },
      before,
      after,
      opens: [...now].filter((tool) => !then.has(tool)).map((tool) => tool.name),
      closes: [...then].filter((tool) => !now.has(tool)).map((tool) => tool.name),
    }
  })
}

function limits(
  { chain, raisedDataClass }: GovernedConfiguration,
  connectionName: string,
  zone: TrustZone,
) {
  const moved = chain.map((link) =>
    link.connectionName === connectionName ? { ...link, trustZone: zone } : link,
  )
  const kept = keptRaise(raisedDataClass, { before: zonesOf(chain), after: zonesOf(moved) })
  return {
    before: configurationTrust(chain, raisedDataClass).limit,
    after: configurationTrust(moved, kept).limit,
  }
}

const zonesOf = (chain: readonly ChainLink[]) => chain.map(({ trustZone }) => trustZone)

function fits(dataClass: DataClass, limit: DataClass): boolean {
  return DataClass.options.indexOf(dataClass) <= DataClass.options.indexOf(limit)
}
