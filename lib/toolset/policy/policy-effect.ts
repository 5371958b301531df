import 'server-only'
import { z } from 'zod'
import {
  listGovernedConfigurations,
  listModelChoices,
  readEditableConfiguration,
} from '@/lib/domains/configurations/reads'
import type { ChainLink } from '@/lib/domains/configurations/schemas'
import { configurationSchemas } from '@/lib/domains/configurations/shape'
import { requireConnection } from '@/lib/domains/connections/reads'
import { verb } from '@/lib/edge/verb'
import { dataLimit, isWithin } from '@/lib/engines/runtime/policy/gates'
import {
  keptRaise,
  type LeastTrusted,
  leastTrusted,
  rezoned,
  TrustZone,
} from '@/lib/protocol/model/model-target'
import { DataClass, type ToolMeta } from '@/lib/protocol/tool'
import { allowsTool, type ToolAccess, toolAccess } from '@/lib/protocol/tool-access'
import type { ToolListing } from '@/lib/toolset/tools/tool-listing'
import { readListings } from '@/lib/toolset/tools/tool-verbs'

type Link = Omit<ChainLink, 'wire' | 'modelId' | 'modelName'>

/** `own` is what the zone of the least trusted provider lets through, `limit` what counts after an admin raised it. */
export type ConfigurationTrust = {
  least: LeastTrusted
  own: DataClass
  limit: DataClass
  /** Data classes above its own, to which it can be raised. */
  higher: DataClass[]
}

/**
 * Returns what may be sent to the providers of a configuration (SPEC G7). What is switched off does not
 * count, because runs skip it.
 */
export function configurationTrust(
  chain: readonly Link[],
  raised: DataClass | null,
): ConfigurationTrust {
  // The first counts all the same: without it no run starts.
  const least = leastTrusted(chain.filter(({ enabled }, index) => enabled || index === 0))
  if (!least) throw new Error('A configuration without a model.')
  const own = dataLimit(least.zone, null)
  const higher = DataClass.options.slice(DataClass.options.indexOf(own) + 1)
  return { least, own, limit: dataLimit(least.zone, raised), higher }
}

/** Data limit of a configuration, and the connection that sets it. `own` is the limit before an admin raised it. */
const PolicyLimit = z.object({
  connectionName: z.string(),
  zone: TrustZone,
  own: DataClass,
  limit: DataClass,
})
type PolicyLimit = z.output<typeof PolicyLimit>

const PolicyEffect = z.object({
  /** Null = it is a new one. */
  before: PolicyLimit.nullable(),
  after: PolicyLimit,
  opens: z.array(z.string()),
  closes: z.array(z.string()),
  /** The raised data class that would end. */
  raiseLost: DataClass.nullable(),
  /** Tools that are switched on, and the site has what they need. */
  usable: z.number(),
  /** Those of them that both gates let pass. */
  offered: z.number(),
})
export type PolicyEffect = z.output<typeof PolicyEffect>

type Side = {
  chain: readonly Link[]
  raised: DataClass | null
  allowed: ToolAccess
}

/** Returns null when no chain can be made of the models that are wanted. */
export const policyEffect = verb({
  name: 'configuration.preview-policy',
  role: 'admin',
  scope: null,
  summary:
    'Says what saving a configuration would do to what its next runs are offered, by the tools that it allows and by trust zone.',
  input: z.object({
    /** Null = it is a new one. */
    id: z.uuid().nullable(),
    /** The model, then its fallbacks. */
    modelIds: z.array(z.string().max(100)).max(10),
    allowedToolGroups: configurationSchemas.allowedToolGroups,
    allowedTools: configurationSchemas.allowedTools.default([]),
  }),
  output: PolicyEffect.nullable(),
  transaction: false,
  run: async ({ ctx }, { id, modelIds, ...names }) => {
    const [models, tools, stored] = await Promise.all([
      listModelChoices(ctx),
      readListings(),
      id === null ? null : readEditableConfiguration(ctx, { id }),
    ])
    const byId = new Map(models.map((model) => [model.id, model]))
    const chainOf = (ids: readonly string[]) => ids.flatMap((each) => byId.get(each) ?? [])
    const old: Side | null = stored && {
      chain: chainOf([stored.form.model.id, ...stored.form.fallbacks.map((each) => each.id)]),
      raised: stored.form.raisedDataClass,
      allowed: toolAccess(stored.form),
    }
    const chain = chainOf(modelIds)
    const raised = old && keptRaise(old.raised, { before: old.chain, after: chain })
    return effectOf(tools, old, { chain, raised, allowed: toolAccess(names) })
  },
})

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
  if (chain.length === 0) return null
  const { least, own, limit } = configurationTrust(chain, raised)
  return { ...least, own, limit }
}

function passes(tool: ToolMeta, { allowed }: Side, { limit }: PolicyLimit): boolean {
  return allowsTool(allowed, tool) && isWithin(tool.dataClass, limit)
}

const nameOf = ({ name }: ToolMeta) => name

/** Effect of another trust zone of one connection on one configuration: the tools it opens, and those it closes. */
const ZoneEffect = z.object({
  configuration: z.object({ id: z.string(), name: z.string() }),
  before: DataClass,
  after: DataClass,
  opens: z.array(z.string()),
  closes: z.array(z.string()),
})
export type ZoneEffect = z.output<typeof ZoneEffect>

/**
 * Returns an entry for each configuration whose limit changes (SPEC G7), also because its raised data
 * class would be reset. A lower limit affects active runs, a higher one later runs.
 */
export const trustZoneEffect = verb({
  name: 'connection.preview-zone',
  role: 'admin',
  scope: null,
  summary: 'Says what configurations may be offered if a connection had another trust zone.',
  input: z.object({ id: z.string().max(100), zone: TrustZone }),
  output: z.array(ZoneEffect),
  transaction: false,
  run: async ({ ctx }, { id, zone }) => {
    const { name } = await requireConnection(id)
    const [configurations, tools] = await Promise.all([
      listGovernedConfigurations(ctx, {}),
      readListings(),
    ])
    return configurations.flatMap(({ chain, raisedDataClass: raised, ...configuration }) => {
      const moved = rezoned(chain, zone, ({ connectionName }) => connectionName === name)
      const before = configurationTrust(chain, raised).limit
      const kept = keptRaise(raised, { before: chain, after: moved })
      const after = configurationTrust(moved, kept).limit
      if (before === after) return []
      const within = (limit: DataClass) =>
        new Set(tools.filter((tool) => !tool.unavailable && isWithin(tool.dataClass, limit)))
      const [then, now] = [within(before), within(after)]
      return {
        configuration: { id: configuration.id, name: configuration.name },
        before,
        after,
        opens: [...now].filter((tool) => !then.has(tool)).map(nameOf),
        closes: [...then].filter((tool) => !now.has(tool)).map(nameOf),
      }
    })
  },
})
