import type { PromptMemory } from '@/lib/protocol/memory'
import type { StartedBy } from '@/lib/protocol/run/child-runs'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { resultSources } from '@/lib/protocol/run/result-sources'
import type { CallView } from '@/lib/protocol/run/round-view'
import type { ToolMeta } from '@/lib/protocol/tool'

/** Returns whether what a tool returns may be written by others: a tool that does not say otherwise, and each of a server. */
export function isUntrusted({ trusted, server }: Pick<ToolMeta, 'trusted' | 'server'>): boolean {
  return trusted !== true || server !== undefined
}

/** Returns what a prompt has that others can write: the notes, because a model wrote them after whatever it had read. */
export function promptReads(memory: PromptMemory | undefined): string[] {
  const hasNotes = memory?.type === 'read' && memory.notes.length > 0
  return hasNotes ? ['the notes in the prompt'] : []
}

/** Returns what the prompt of a judge has: words of another model, which may have read anything. */
function judgedReads(start: RunState['start']): string[] {
  return start?.judges ? ['the answer in the prompt'] : []
}

/** Returns what a prompt has from the run that wrote it, when that run had read what others can write. */
export function parentReads(parent: StartedBy | undefined): string[] {
  return parent?.untrusted ? ['the prompt, which another run wrote'] : []
}

/**
 * Returns the notes of the prompt, what the roles before it in its panel read, and the tools whose results a model has read that others can write, in the order of the first call of each. What
 * calls of a round return whose calls have not all ended is not read yet: the model asked for the others before. A tool
 * that is gone counts, because nobody knows what it returned; so does a
 * result that a person wrote.
 */
export function untrustedReads(
  { start, rounds }: Pick<RunState, 'start' | 'rounds'>,
  tools: Tools,
): string[] {
  const ofPrompt = [
    ...(start?.panelReads ?? []),
    ...parentReads(start?.parent),
    ...judgedReads(start),
  ]
  const names = new Set([...promptReads(start?.memory), ...ofPrompt])
  const sources = resultSources(start) ?? {}
  for (const { calls, copiedFrom } of rounds) {
    if (calls.some(({ state }) => state.type !== 'ended')) continue
    for (const { name, state, edits = [] } of calls) {
      const tool = tools.get(name)
      const isFixed = copiedFrom === undefined && sources[name]?.type === 'fixed'
      const isWritten = isFixed || edits.some(({ what }) => what === 'result')
      if (hasResult(state) && (!tool || isWritten || isUntrusted(tool))) names.add(name)
    }
  }
  return [...names]
}

/** Returns whether a call gave the model what its tool returned, also as the reason of a failure. */
function hasResult(state: CallView['state']): boolean {
  if (state.type !== 'ended') return false
  const { outcome } = state
  return outcome.type === 'ok' || (outcome.type === 'failed' && outcome.flags !== undefined)
}

type Tools = ReadonlyMap<string, Pick<ToolMeta, 'trusted' | 'server'>>

/** Returns the reads of a run and of the turns before it: the model has all of them before it. */
export function conversationReads(
  state: Pick<RunState, 'start' | 'rounds'>,
  { earlier = [], tools }: { earlier?: readonly { state: RunState }[] | undefined; tools: Tools },
): string[] {
  const turns = [...earlier.map((turn) => turn.state), state]
  return [...new Set(turns.flatMap((turn) => untrustedReads(turn, tools)))]
}

const mostShown = 3

/** Returns "web_fetch, files__read and 2 more". */
export function shownReads(names: readonly string[]): string {
  const more = names.length - mostShown
  const shown = more > 0 ? [...names.slice(0, mostShown), `${more} more`] : names
  return new Intl.ListFormat('en').format(shown)
}
