import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import {
  createSerializer,
  type inferParserType,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server'
import { matchesSearch } from '@/lib/words/matches-search'

/** The part of a tool that lists show. */
export type ListedTool = Pick<
  ToolListing,
  | 'name'
  | 'description'
  | 'group'
  | 'enabledByDefault'
  | 'requiresAdmin'
  | 'effect'
  | 'dataClass'
  | 'needs'
  | 'alias'
  | 'enabled'
  | 'unavailable'
  | 'groupOff'
  | 'override'
  | 'asksApproval'
  | 'schemaTokens'
  | 'raw'
>

export const toolStates = ['all', 'on', 'off', 'changed'] as const
export const toolEffects = ['all', 'read', 'idempotent-write', 'write'] as const

/** The filter in the address of the Tools page. Unknown values become "all", which the address leaves out. */
export const toolFilterInAddress = {
  search: parseAsString.withDefault(''),
  /** A group's name; "all" = every group. */
  group: parseAsString.withDefault('all'),
  state: parseAsStringLiteral(toolStates).withDefault('all'),
  effect: parseAsStringLiteral(toolEffects).withDefault('all'),
}
export type ToolFilter = inferParserType<typeof toolFilterInAddress>

/** Returns the address of the Tools page with this filter: "/tools?search=log&state=off". */
export function toolsHref(filter: Partial<ToolFilter>): string {
  return writeFilter('/tools', filter)
}

const writeFilter = createSerializer(toolFilterInAddress)

export function isFiltered({ search, group, state, effect }: ToolFilter): boolean {
  return search.trim() !== '' || [group, state, effect].some((each) => each !== 'all')
}

/** Returns the tools whose name, group or description has every word of the search. */
export function filterTools(tools: readonly ListedTool[], filter: ToolFilter): ListedTool[] {
  return tools.filter(
    (tool) =>
      matchesSearch(filter.search, [tool.name, tool.group, tool.description]) &&
      (filter.group === 'all' || tool.group === filter.group) &&
      (filter.effect === 'all' || tool.effect === filter.effect) &&
      hasState(tool, filter.state),
  )
}

/** Returns whether a tool can run: its own switch, its group's switch, and whether the site has what it needs. */
export function isOn(tool: ListedTool): boolean {
  return tool.enabled && tool.groupOff === null && tool.unavailable === null
}

function hasState(tool: ListedTool, state: ToolFilter['state']): boolean {
  switch (state) {
    case 'all':
      return true
    case 'on':
      return isOn(tool)
    case 'off':
      return !isOn(tool)
    case 'changed':
      return tool.override !== null
    default:
      return state satisfies never
  }
}

export type PromptOverhead = { tools: number; on: number; tokens: number }

/** Returns how many of these tools are on, and how many tokens their schemas add to every request that offers them. */
export function promptOverhead(tools: readonly ListedTool[]): PromptOverhead {
  const on = tools.filter(isOn)
  const tokens = on.reduce((sum, tool) => sum + tool.schemaTokens, 0)
  return { tools: tools.length, on: on.length, tokens }
}
