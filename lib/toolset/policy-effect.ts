import 'server-only'
import { listModelChoices } from '@/lib/domains/configurations/list-model-choices'
import { readEditableConfiguration } from '@/lib/domains/configurations/read-editable-configuration'
import { dataLimit } from '@/lib/engines/runtime/policy/trust-zone'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { keptRaise, leastTrusted, type TrustZone } from '@/lib/protocol/model-target'
import { DataClass, type ToolMeta } from '@/lib/protocol/tool'
import type { ToolListing } from './tool-listing'
import { readListings } from './tool-verbs'

/** What a configuration would be, as far as the gates look at it. `modelIds`: the model, then its fallbacks. */
export type WantedPolicy = {
  modelIds: readonly string[]
  allowedToolGroups: readonly string[] | null
}

/** What a configuration may be sent, and by whom that is decided. */
type PolicyLimit = { connectionName: string; zone: TrustZone; limit: DataClass }

/**
 * What saving would do to what its next runs are offered, by the two gates that look at the configuration itself (tool
 * groups and trust zone). `before` null = it is a new one. `raiseLost` = a raised data class would not go along. Of the
 * `usable` tools (switched on, and the site has what they need) both gates let `offered` pass.
 */
export type PolicyEffect = {
  before: PolicyLimit | null
  after: PolicyLimit
  opens: string[]
  closes: string[]
  raiseLost: DataClass | null
  usable: number
  offered: number
}

type Link = { connectionName: string; zone: TrustZone; enabled: boolean }
type Side = { chain: Link[]; raised: DataClass | null; groups: readonly string[] | null }

/**
 * Returns how a change of models changes the policy; null when the wanted models are invalid. `configurationId` null =
 * a new configuration. Admins only.
 */
export async function policyEffect(
  ctx: Ctx,
  configurationId: string | null,
  wanted: WantedPolicy,
): Promise<PolicyEffect | null> {
  requireRole(ctx, 'admin')
  const [models, tools, stored] = await Promise.all([
    listModelChoices(ctx),
    readListings(),
    configurationId === null ? null : readEditableConfiguration(ctx, configurationId),
  ])
  const byId = new Map(models.map((model) => [model.id, model]))
  const chainOf = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const model = byId.get(id)
      if (!model) return []
      const { connectionName, trustZone: zone, enabled } = model
      return [{ connectionName, zone, enabled }]
    })
  const old: Side | null = stored && {
    chain: chainOf([stored.form.model.id, ...stored.form.fallbacks.map(({ id }) => id)]),
    raised: stored.form.raisedDataClass,
    groups: stored.form.allowedToolGroups,
  }
  const chain = chainOf(wanted.modelIds)
  const raised = old && keptRaise(old.raised, { before: zonesOf(old.chain), after: zonesOf(chain) })
  return effectOf(tools, old, { chain, raised, groups: wanted.allowedToolGroups })
}

/** Computes it without the database. */
function effectOf(tools: readonly ToolListing[], old: Side | null, now: Side): PolicyEffect | null {
  const after = limitOf(now)
  if (!after) return null
  const before = old && limitOf(old)
  const names = (side: Side | null, limit: PolicyLimit | null | undefined) =>
    new Set(tools.filter((tool) => side && limit && passes(tool, side, limit)).map(nameOf))
  const [had, has] = [names(old, before), names(now, after)]
  const usable = tools.filter(
    ({ enabled, unavailable, groupOff }) => enabled && unavailable === null && groupOff === null,
  )
  return {
    before: before ?? null,
    after,
    opens: old ? [...has].filter((name) => !had.has(name)) : [],
    closes: [...had].filter((name) => !has.has(name)),
    raiseLost: old?.raised && !now.raised ? old.raised : null,
    usable: usable.length,
    offered: usable.filter(({ name }) => has.has(name)).length,
  }
}

function limitOf({ chain, raised }: Side): PolicyLimit | null {
  // Runs pass over what is switched off, except that they do not begin without the first.
  const used = chain.filter(({ enabled }, index) => enabled || index === 0)
  const least = leastTrusted(used)
  return least ? { ...least, limit: dataLimit(least.zone, raised) } : null
}

function passes(tool: ToolMeta, { groups }: Side, { limit }: PolicyLimit): boolean {
  if (groups && !groups.includes(tool.group)) return false
  return DataClass.options.indexOf(tool.dataClass) <= DataClass.options.indexOf(limit)
}

const nameOf = ({ name }: ToolMeta) => name
const zonesOf = (chain: readonly Link[]) => chain.map(({ zone }) => zone)
