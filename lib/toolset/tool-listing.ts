import { missingNeed } from '@/lib/engines/runtime/policy/registered'
import { schemaTokens, type ToolMeta, type ToolNeed } from '@/lib/protocol/tool'

/** Who switched a whole group off, when (ISO text in UTC) and why. */
export type GroupOff = { reason: string; changedByLabel: string; changedAt: string }

/**
 * A tool as the console shows it. `enabled` is its own switch, which counts only while `groupOff` and `unavailable` are
 * null; `unavailable` says in words what this site does not have yet. `raw` tools show unredacted data and need a reason
 * to be switched on.
 */
export type ToolListing = ToolMeta & {
  enabled: boolean
  unavailable: string | null
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
  present: ReadonlySet<ToolNeed> = new Set(),
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
    ...(tool.needs && { needs: tool.needs }),
    enabled: override?.enabled ?? tool.enabledByDefault,
    unavailable: tool.needs && !present.has(tool.needs) ? missingNeed[tool.needs] : null,
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
