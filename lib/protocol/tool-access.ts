import { z } from 'zod'
import type { ToolMeta } from './tool'

/** The tools that runs with a configuration may use: those of some groups, and single ones beside them. */
export const AllowedNames = z.object({
  /** null = every group, and no tool is named beside them. */
  allowedToolGroups: z.array(z.string()).nullable(),
  /** Names that no tool has here stay, and allow nothing. */
  allowedTools: z.array(z.string()),
})
export type AllowedNames = z.infer<typeof AllowedNames>

/** The same, ready to be asked about many tools. */
export type ToolAccess = { groups: ReadonlySet<string> | null; tools: ReadonlySet<string> }

/** Tools that a new configuration allows by default. */
export const everything: AllowedNames = { allowedToolGroups: null, allowedTools: [] }

/** Returns what these names allow. Runs and versions from before single tools name none. */
export function toolAccess({
  allowedToolGroups,
  allowedTools = [],
}: {
  allowedToolGroups: readonly string[] | null
  allowedTools?: readonly string[] | undefined
}): ToolAccess {
  return {
    groups: allowedToolGroups && new Set(allowedToolGroups),
    tools: new Set(allowedTools),
  }
}

/** Returns whether a tool may be used: its group or its name is allowed. */
export function allowsTool(
  access: ToolAccess,
  { name, group }: Pick<ToolMeta, 'name' | 'group'>,
): boolean {
  return allowsGroup(access, group) || access.tools.has(name)
}

/** Returns whether all tools of a group may be used. Names beside every group, which nobody can save, limit to themselves. */
export function allowsGroup({ groups, tools }: ToolAccess, group: string): boolean {
  return groups === null ? tools.size === 0 : groups.has(group)
}

/** Why single tools are refused where every group is allowed. */
export const needlessNames =
  'All tool groups are allowed, and with them every tool. Allow only some groups, or none, and then single tools beside them.'

/** Returns whether single tools are named beside every group. */
export function hasNeedlessNames({ allowedToolGroups, allowedTools }: AllowedNames): boolean {
  return allowedToolGroups === null && allowedTools.length > 0
}

/** Returns the names without single tools beside every group. */
export function withoutNeedlessNames(names: AllowedNames): AllowedNames {
  return hasNeedlessNames(names) ? { ...names, allowedTools: [] } : names
}

/** Returns what is allowed after a change: what it leaves out stays, but a change to every group ends single tools. */
export function changedNames(
  before: AllowedNames,
  change: { [K in keyof AllowedNames]?: AllowedNames[K] | undefined },
): AllowedNames {
  const kept = change.allowedToolGroups === null ? [] : before.allowedTools
  const { allowedToolGroups = before.allowedToolGroups, allowedTools = kept } = change
  return { allowedToolGroups, allowedTools }
}

/**
 * Returns names that allow exactly what both allow. `groupOf` returns the group of a tool; undefined = there is no such
 * tool here.
 */
export function namesOfBoth(
  a: AllowedNames,
  b: AllowedNames,
  groupOf: (name: string) => string | undefined,
): AllowedNames {
  const both = [toolAccess(a), toolAccess(b)]
  const inBoth = (name: string) => {
    const group = groupOf(name)
    return both.every((access) =>
      group === undefined ? access.tools.has(name) : allowsTool(access, { name, group }),
    )
  }
  const groups = a.allowedToolGroups ?? b.allowedToolGroups
  return {
    allowedToolGroups:
      groups?.filter((group) => both.every((each) => allowsGroup(each, group))) ?? null,
    allowedTools: [...new Set([...a.allowedTools, ...b.allowedTools])].filter(inBoth).sort(),
  }
}

const mostInWords = 5

/** Returns "the tool groups data and web, and the tool list_users". Of long lists it names the first. */
export function accessWords({ groups, tools }: ToolAccess): string {
  const parts = [
    groups === null || groups.size === 0 ? null : namesInWords('tool group', groups),
    tools.size === 0 ? null : namesInWords('tool', tools),
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'no tools' : parts.join(', and ')
}

function namesInWords(noun: string, names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, mostInWords)
  const more = names.size > mostInWords ? [`${names.size - mostInWords} more`] : []
  const list = new Intl.ListFormat('en').format([...shown, ...more])
  return `the ${noun}${names.size === 1 ? '' : 's'} ${list}`
}

/** The names of the tools of this installation, of their groups, and of its MCP servers. */
export type KnownNames = Readonly<Record<'tools' | 'groups' | 'servers', ReadonlySet<string>>>
