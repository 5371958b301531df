import { z } from 'zod'
import type { ToolMeta } from './tool'

const Names = z.array(z.string()).nullable()

/** What the runs of an API key may use. Null = no limit, an empty list = nothing. */
export const KeyLimits = z.object({
  /** Names of tools. Beside `toolGroups`, a tool is allowed that is in either list. */
  tools: Names,
  toolGroups: Names,
  /** Ids of configurations. */
  configurations: Names,
})
export type KeyLimits = z.infer<typeof KeyLimits>

/** The same with the names of configurations; one that is gone is missing. */
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
  { name: key, limits: { tools, toolGroups } }: RunKey,
  { name, group }: Pick<ToolMeta, 'name' | 'group'>,
): string | null {
  if (tools === null && toolGroups === null) return null
  if (tools?.includes(name) || toolGroups?.includes(group)) return null
  return `The API key ${key} may not use this tool. ${change}`
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
