import { z } from 'zod'
import type { RemoteState } from '@/lib/domains/servers/shared/remote-state'
import { heldWords, missingNeed, missingRemote } from '@/lib/engines/runtime/policy/gates'
import { asksByItself } from '@/lib/engines/runtime/policy/rules'
import { DataClass, Effect, schemaTokens, type ToolMeta, ToolNeed } from '@/lib/protocol/tool'

/** Author, time (ISO text in UTC) and reason of switching off a whole group. */
const GroupOff = z.object({ reason: z.string(), changedByLabel: z.string(), changedAt: z.string() })
export type GroupOff = z.output<typeof GroupOff>

/**
 * A tool as the console shows it. `enabled` is its own switch, which counts only while `groupOff` and `unavailable` are
 * null; `unavailable` says in words why it cannot run here: its file is not loaded, or this site does not have what it needs. `schemaTokens`: approximate tokens its schema costs
 * in each request that offers it. `raw` tools show unredacted data and need a reason to be switched on.
 */
export const ToolListing = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  group: z.string(),
  enabledByDefault: z.boolean(),
  requiresAdmin: z.boolean(),
  effect: Effect,
  dataClass: DataClass,
  timeoutMs: z.number(),
  /** Limits of a built-in tool besides its timeout. */
  limits: z.array(z.string()).optional(),
  /** Arguments of a call that makes sense on any installation. */
  example: z.record(z.string(), z.unknown()).optional(),
  needs: ToolNeed.optional(),
  /** The MCP server that has it. */
  server: z.string().optional(),
  /** Name for models; also left out while another tool has that name. */
  alias: z.string().optional(),
  enabled: z.boolean(),
  unavailable: z.string().nullable(),
  groupOff: GroupOff.nullable(),
  source: z.enum(['default', 'override']),
  override: GroupOff.extend({ enabled: z.boolean() }).nullable(),
  /**
   * Every call of it waits for approval, and the author of that setting; null: none, and the effect of the tool
   * decides.
   */
  asksApproval: z.boolean(),
  approvalSetting: GroupOff.nullable(),
  schemaTokens: z.number(),
  raw: z.boolean(),
  /** Limits for the starts of its calls; left out: none. */
  limit: z.object({ perMinute: z.int().nullable(), perRun: z.int().nullable() }).optional(),
})
export type ToolListing = z.output<typeof ToolListing>

/** A group of tools; `off` null = its tools' own switches count. `on` counts those that are switched on. */
export const ToolGroupListing = z.object({
  name: z.string(),
  enabled: z.boolean(),
  off: GroupOff.nullable(),
  tools: z.number(),
  on: z.number(),
})
export type ToolGroupListing = z.output<typeof ToolGroupListing>

type AuthorRecord = { reason: string; changedByLabel: string; changedAt: Date }

/** Stored settings of a tool; left out: none. */
export type StoredAbout = {
  override?: (AuthorRecord & { enabled: boolean }) | undefined
  groupOff?: AuthorRecord | undefined
  approval?: (AuthorRecord & { asks: boolean }) | undefined
}

/** Returns a tool as lists show it. `calledAs`: its name for models, which counts in its schema. */
export function toListing(
  tool: ToolMeta & { remote?: RemoteState },
  { override, groupOff, approval }: StoredAbout = {},
  present: ReadonlySet<ToolNeed> = new Set(),
  calledAs = tool.name,
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
    ...(tool.limits && { limits: [...tool.limits] }),
    ...(tool.example && { example: tool.example }),
    ...(tool.needs && { needs: tool.needs }),
    ...(tool.server && { server: tool.server }),
    ...(tool.alias && { alias: tool.alias }),
    enabled: override?.enabled ?? tool.enabledByDefault,
    unavailable: unavailability(tool, present),
    groupOff: groupOff ? describeAuthor(groupOff) : null,
    source: override ? 'override' : 'default',
    override: override ? { enabled: override.enabled, ...describeAuthor(override) } : null,
    asksApproval: approval?.asks ?? asksByItself(tool),
    approvalSetting: approval ? describeAuthor(approval) : null,
    schemaTokens: schemaTokens({ ...tool, name: calledAs }),
    raw: tool.server === undefined && tool.name.endsWith('_raw'),
  }
}

function unavailability(
  { needs, notLoaded, server, remote }: ToolMeta & { remote?: RemoteState },
  present: ReadonlySet<ToolNeed>,
): string | null {
  if (server !== undefined) {
    const missing = missingRemote(server, notLoaded, remote)
    return missing ?? (remote?.held ? heldWords[remote.held] : null)
  }
  if (notLoaded !== undefined) return `Not loaded: ${notLoaded}`
  return needs === undefined || present.has(needs) ? null : missingNeed[needs]
}

function describeAuthor({ reason, changedByLabel, changedAt }: AuthorRecord): GroupOff {
  return { reason, changedByLabel, changedAt: changedAt.toISOString() }
}
