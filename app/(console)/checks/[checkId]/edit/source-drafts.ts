import type { ToolSource } from '@/lib/protocol/run/fork'

/** Source of the results of a tool, as people pick it. `recorded`: the check says nothing of the tool. */
export const sourceWords: Record<ToolSource['type'] | 'recorded', string> = {
  recorded: 'Recorded results',
  live: 'Always call it, even if it writes',
  fixed: 'A fixed text',
  refused: 'Its calls fail',
}

/** Source of the results of a tool, as a form holds it. `content`: the text of a fixed one. */
export type SourceDraft = { name: string; source: ToolSource['type'] | 'recorded'; content: string }

type Sources = Readonly<Record<string, ToolSource>>

/** Returns the sources of tools as a form holds them. Tools that the check says nothing of give recorded results. */
export function sourceDrafts(tools: readonly string[], sources: Sources): SourceDraft[] {
  const names = [...new Set([...tools, ...Object.keys(sources)])].toSorted()
  return names.map((name) => {
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined
    return {
      name,
      source: source?.type ?? 'recorded',
      content: source?.type === 'fixed' ? source.content : '',
    }
  })
}

/** Returns what a form sends. */
export function sourcesOf(drafts: readonly SourceDraft[]): Record<string, ToolSource> {
  return Object.fromEntries(
    drafts.flatMap(({ name, source, content }): [string, ToolSource][] => {
      if (source === 'recorded') return []
      return [[name, source === 'fixed' ? { type: source, content } : { type: source }]]
    }),
  )
}
