import type { RoundView } from '@/lib/protocol/round-view'
import type { ToolMeta } from '@/lib/protocol/tool'

/** Returns whether what a tool returns may be written by others: a tool that does not say otherwise, and each of a server. */
export function isUntrusted({ trusted, server }: Pick<ToolMeta, 'trusted' | 'server'>): boolean {
  return trusted !== true || server !== undefined
}

/**
 * Returns the tools whose results a model has read that others can write, in the order of the first call of each. What
 * calls of a round return whose calls have not all ended is not read yet: the model asked for the others before. A tool
 * that is gone counts, because nobody knows what it returned.
 */
export function untrustedReads(
  rounds: readonly RoundView[],
  tools: ReadonlyMap<string, Pick<ToolMeta, 'trusted' | 'server'>>,
): string[] {
  const names = new Set<string>()
  for (const { calls } of rounds) {
    if (calls.some(({ state }) => state.type !== 'ended')) continue
    for (const { name, state } of calls) {
      const tool = tools.get(name)
      const hasResult = state.type === 'ended' && state.outcome.type === 'ok'
      if (hasResult && (!tool || isUntrusted(tool))) names.add(name)
    }
  }
  return [...names]
}

const mostShown = 3

/** Returns "web_fetch, files__read and 2 more". */
export function shownReads(names: readonly string[]): string {
  const more = names.length - mostShown
  const shown = more > 0 ? [...names.slice(0, mostShown), `${more} more`] : names
  return new Intl.ListFormat('en').format(shown)
}
