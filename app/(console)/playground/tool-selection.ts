import type { Verdict } from '@/lib/protocol/outcome'

/** A tool as the Playground offers it; `verdict` is what the gates say before anything is picked. */
export type PickableTool = {
  name: string
  description: string
  group: string
  schemaTokens: number
  verdict: Verdict
}

/** Names that were picked; null = nobody touched the list, so every tool the gates allow. */
export type Picked = readonly string[] | null

export function isPicked(tool: PickableTool, picked: Picked): boolean {
  return tool.verdict.allowed && (picked === null || picked.includes(tool.name))
}

/** The selection after some tools were switched on or off. Tools that may not run are never in it. */
export function withPicked(
  tools: readonly PickableTool[],
  picked: Picked,
  names: readonly string[],
  on: boolean,
): string[] {
  return tools
    .filter((tool) => tool.verdict.allowed)
    .filter((tool) => (names.includes(tool.name) ? on : isPicked(tool, picked)))
    .map((tool) => tool.name)
}

/** A remembered selection, without what no longer exists or may no longer run. */
export function restorePicked(tools: readonly PickableTool[], names: readonly string[]): string[] {
  return tools.filter((tool) => isPicked(tool, names)).map((tool) => tool.name)
}

export type Tax = { picked: number; allowed: number; tokens: number }

/** How many are picked, of how many that may be, and what their schemas cost in each request. */
export function selectionTax(tools: readonly PickableTool[], picked: Picked): Tax {
  const chosen = tools.filter((tool) => isPicked(tool, picked))
  return {
    picked: chosen.length,
    allowed: tools.filter((tool) => tool.verdict.allowed).length,
    tokens: chosen.reduce((sum, tool) => sum + tool.schemaTokens, 0),
  }
}

/** Every word of the search must be found in name, group or description. */
export function searchTools(tools: readonly PickableTool[], search: string): PickableTool[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return tools.filter((tool) => {
    const text = `${tool.name} ${tool.group} ${tool.description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
