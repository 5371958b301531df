import { z } from 'zod'
import type { ToolMeta } from './tool'

const Names = z.array(z.string()).nullable()

/** Limits for runs of an API key. Null: no limit; an empty list: nothing is allowed. */
export const KeyLimits = z.object({
  /** Names of tools. Beside `toolGroups`, a tool is allowed that is in either list. */
  tools: Names,
  toolGroups: Names,
  /** Ids of configurations. */
  configurations: Names,
})
export type KeyLimits = z.infer<typeof KeyLimits>

/** Tool limits of an API key or of a group of people. Null in both: no limit. */
export const ToolLimits = KeyLimits.pick({ tools: true, toolGroups: true })
export type ToolLimits = z.infer<typeof ToolLimits>

/** A group of people that limits its members, as it is now. */
export const LimitingGroup = z.object({ name: z.string(), limits: ToolLimits })
export type LimitingGroup = z.infer<typeof LimitingGroup>

/** Limits with the names of configurations; one that is gone is missing. */
export const ShownLimits = KeyLimits.omit({ configurations: true }).extend({
  configurations: z.array(z.object({ id: z.string(), name: z.string() })).nullable(),
})
export type ShownLimits = z.infer<typeof ShownLimits>

export const noLimits = {
  tools: null,
  toolGroups: null,
  configurations: null,
} as const satisfies KeyLimits

/** The key that a run was started with, as it is now. */
export type RunKey = { name: string; limits: KeyLimits }

/** Returns whether nothing is limited. */
export function isUnlimited({ tools, toolGroups, configurations }: KeyLimits): boolean {
  return tools === null && toolGroups === null && configurations === null
}

const change = 'An admin can change what the key may use.'

/** Returns why runs of this key may not use a tool, as a sentence; null = they may. */
export function keyRefusesTool(
  { name: key, limits }: RunKey,
  tool: Pick<ToolMeta, 'name' | 'group'>,
): string | null {
  return allowsTool(limits, tool) ? null : `The API key ${key} may not use this tool. ${change}`
}

function allowsTool(
  { tools, toolGroups }: ToolLimits,
  { name, group }: Pick<ToolMeta, 'name' | 'group'>,
): boolean {
  if (tools === null && toolGroups === null) return true
  return tools?.includes(name) === true || toolGroups?.includes(group) === true
}

/**
 * Returns why a person in these groups may not use a tool, as a sentence; null = they may. Groups that limit nobody are
 * left out; what one of the others allows is allowed.
 */
export function groupsRefuseTool(
  groups: readonly LimitingGroup[],
  tool: Pick<ToolMeta, 'name' | 'group'>,
): string | null {
  if (groups.length === 0 || groups.some(({ limits }) => allowsTool(limits, tool))) return null
  const names = new Intl.ListFormat('en').format(groups.map(({ name }) => name))
  return groups.length === 1
    ? `The group ${names} may not use this tool. An admin can change what the group may use.`
    : `None of the groups ${names} may use this tool. An admin can change what they may use.`
}

/** Returns why this key may not run with a configuration, as a sentence; null = it may. */
export function keyRefusesConfiguration(
  { name: key, limits: { configurations } }: RunKey,
  { id, name }: { id: string | null; name: string },
): string | null {
  if (configurations === null || (id !== null && configurations.includes(id))) return null
  return `The API key ${key} may not use the configuration ${name}. ${change}`
}

/**
 * Returns what a key is limited to, after "may use": "the tools fetch_logs and of the group web; the configuration
 * Nightly". Null = nothing is limited.
 */
export function limitWords({ tools, toolGroups, configurations }: ShownLimits): string | null {
  const parts = [
    toolWords(tools, toolGroups),
    configurations &&
      namesWords(
        'configuration',
        configurations.map(({ name }) => name),
      ),
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join('; ')
}

function toolWords(
  tools: readonly string[] | null,
  groups: readonly string[] | null,
): string | null {
  if (tools === null && groups === null) return null
  const parts = [
    tools?.length ? namesWords('tool', tools) : null,
    groups?.length ? namesWords('tool group', groups) : null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'no tools' : parts.join(', ')
}

function namesWords(noun: string, names: readonly string[]): string {
  if (names.length === 0) return `no ${noun}s`
  return `the ${noun}${names.length === 1 ? '' : 's'} ${new Intl.ListFormat('en').format(names)}`
}
