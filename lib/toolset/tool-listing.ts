import { schemaTokens, type ToolMeta } from '@/lib/protocol/tool'

/** A tool as the console shows it. `raw` tools show unredacted data and need a reason to be switched on. */
export type ToolListing = ToolMeta & {
  enabled: boolean
  source: 'default' | 'override'
  override: { enabled: boolean; reason: string; changedByLabel: string; changedAt: string } | null
  /** Approximate tokens its schema costs in each request that offers it. */
  schemaTokens: number
  raw: boolean
}

export type OverrideRecord = {
  enabled: boolean
  reason: string
  changedByLabel: string
  changedAt: Date
}

export function toListing(tool: ToolMeta, override: OverrideRecord | undefined): ToolListing {
  return {
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    group: tool.group,
    enabledByDefault: tool.enabledByDefault,
    requiresAdmin: tool.requiresAdmin,
    effect: tool.effect,
    dataClass: tool.dataClass,
    timeoutMs: tool.timeoutMs,
    enabled: override?.enabled ?? tool.enabledByDefault,
    source: override ? 'override' : 'default',
    override: override ? describeOverride(override) : null,
    schemaTokens: schemaTokens(tool),
    raw: tool.name.endsWith('_raw'),
  }
}

function describeOverride({ enabled, reason, changedByLabel, changedAt }: OverrideRecord) {
  return { enabled, reason, changedByLabel, changedAt: changedAt.toISOString() }
}
