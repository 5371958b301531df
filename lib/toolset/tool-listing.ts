import { schemaTokens, type ToolMeta } from '@/lib/protocol/tool'

/** Who switched a whole group off, when (ISO text in UTC) and why. */
export type GroupOff = { reason: string; changedByLabel: string; changedAt: string }

/**
 * A tool as the console shows it. `enabled` is its own switch, which counts only while `groupOff` is null. `raw` tools
 * show unredacted data and need a reason to be switched on.
 */
export type ToolListing = ToolMeta & {
  enabled: boolean
  groupOff: GroupOff | null
  source: 'default' | 'override'
  override: { enabled: boolean; reason: string; changedByLabel: string; changedAt: string } | null
  /** Approximate tokens its schema costs in each request that offers it. */
  schemaTokens: number
  raw: boolean
}

type AuthorRecord = { reason: string; changedByLabel: string; changedAt: Date }
export type OverrideRecord = AuthorRecord & { enabled: boolean }

export function toListing(
  tool: ToolMeta,
  override: OverrideRecord | undefined,
  groupOff: AuthorRecord | undefined,
): ToolListing {
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
    groupOff: groupOff ? describeAuthor(groupOff) : null,
    source: override ? 'override' : 'default',
    override: override ? { enabled: override.enabled, ...describeAuthor(override) } : null,
    schemaTokens: schemaTokens(tool),
    raw: tool.name.endsWith('_raw'),
  }
}

function describeAuthor({ reason, changedByLabel, changedAt }: AuthorRecord): GroupOff {
  return { reason, changedByLabel, changedAt: changedAt.toISOString() }
}
