import type { ToolListing } from '@/lib/toolset/tool-listing'

export const toolStates = ['all', 'on', 'off', 'changed'] as const
export const toolEffects = ['all', 'read', 'idempotent-write', 'write'] as const

export type ToolFilter = {
  search: string
  /** A group's name; "all" = every group. */
  group: string
  state: (typeof toolStates)[number]
  effect: (typeof toolEffects)[number]
}

export const noToolFilter: ToolFilter = { search: '', group: 'all', state: 'all', effect: 'all' }

/** From the page's address; what it does not know counts as "all". */
export function readToolFilter(params: Record<string, string | string[] | undefined>): ToolFilter {
  const text = (key: string) => {
    const value = params[key]
    return typeof value === 'string' ? value : ''
  }
  return {
    search: text('search'),
    group: text('group') || 'all',
    state: toolStates.find((state) => state === text('state')) ?? 'all',
    effect: toolEffects.find((effect) => effect === text('effect')) ?? 'all',
  }
}

/** Returns the filter as a query string: "?search=log&state=off", or "" when nothing is filtered. */
export function writeToolFilter(filter: ToolFilter): string {
  const params = new URLSearchParams()
  if (filter.search.trim()) params.set('search', filter.search)
  for (const key of ['group', 'state', 'effect'] as const) {
    if (filter[key] !== 'all') params.set(key, filter[key])
  }
  const text = params.toString()
  return text && `?${text}`
}

/** Every word of the search must be found in name, group or description. */
export function filterTools(tools: readonly ToolListing[], filter: ToolFilter): ToolListing[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean)
  return tools.filter((tool) => {
    const text = `${tool.name} ${tool.group} ${tool.description}`.toLowerCase()
    return (
      words.every((word) => text.includes(word)) &&
      (filter.group === 'all' || tool.group === filter.group) &&
      (filter.effect === 'all' || tool.effect === filter.effect) &&
      hasState(tool, filter.state)
    )
  })
}

/** Returns whether a tool can run: its own switch, its group's switch, and whether the site has what it needs. */
export function isOn(tool: ToolListing): boolean {
  return tool.enabled && tool.groupOff === null && tool.unavailable === null
}

function hasState(tool: ToolListing, state: ToolFilter['state']): boolean {
  switch (state) {
    case 'all':
      return true
    case 'on':
      return isOn(tool)
    case 'off':
      return !isOn(tool)
    case 'changed':
      return tool.source === 'override'
    default:
      return state satisfies never
  }
}

export type PromptOverhead = { tools: number; on: number; tokens: number }

/** How many of these are on, and what their schemas cost in every request that offers them. */
export function promptOverhead(tools: readonly ToolListing[]): PromptOverhead {
  const on = tools.filter(isOn)
  const tokens = on.reduce((sum, tool) => sum + tool.schemaTokens, 0)
  return { tools: tools.length, on: on.length, tokens }
}
