import type { Verdict } from '@/lib/protocol/tool'
import { matchesSearch } from '@/lib/words/matches-search'

/**
 * A tool as the Playground offers it; `verdict` is what the gates say before anything is picked. `waits`: each call of it waits for
 * approval.
 */
export type PickableTool = {
  name: string
  description: string
  group: string
  schemaTokens: number
  verdict: Verdict
  waits: boolean
}

/** The picked names; null = the list was not changed, so every tool that the gates allow. */
export type Picked = readonly string[] | null

export function isPicked(tool: PickableTool, picked: Picked): boolean {
  return tool.verdict.allowed && (picked === null || picked.includes(tool.name))
}

/**
 * Returns the selection after some tools were picked or unpicked. Tools that may not run keep their state, for a
 * configuration that allows them.
 */
export function withPicked(
  tools: readonly PickableTool[],
  picked: Picked,
  names: readonly string[],
  on: boolean,
): string[] {
  return tools
    .filter(({ name, verdict }) => {
      if (verdict.allowed && names.includes(name)) return on
      return picked === null || picked.includes(name)
    })
    .map(({ name }) => name)
}

/** Returns a remembered selection, without tools that no longer exist. */
export function restorePicked(tools: readonly PickableTool[], names: readonly string[]): string[] {
  return tools.filter(({ name }) => names.includes(name)).map(({ name }) => name)
}

/** Returns the picked tools that may run, which the run asks for. Null = all that the gates allow. */
export function pickedNames(tools: readonly PickableTool[], picked: Picked): string[] | null {
  if (picked === null) return null
  return tools.filter((tool) => isPicked(tool, picked)).map(({ name }) => name)
}

export type SelectionSize = { picked: number; allowed: number; tokens: number }

/** Returns how many tools are picked, how many may be, and the tokens that their schemas add to each request. */
export function selectionSize(tools: readonly PickableTool[], picked: Picked): SelectionSize {
  const chosen = tools.filter((tool) => isPicked(tool, picked))
  return {
    picked: chosen.length,
    allowed: tools.filter((tool) => tool.verdict.allowed).length,
    tokens: chosen.reduce((sum, tool) => sum + tool.schemaTokens, 0),
  }
}

/** Returns the tools whose name, group or description has every word of the search. */
export function searchTools(tools: readonly PickableTool[], search: string): PickableTool[] {
  return tools.filter((tool) => matchesSearch(search, [tool.name, tool.group, tool.description]))
}
