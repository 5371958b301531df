import { cleanText } from '@/lib/protocol/clean-text'
import type { GateName } from '@/lib/protocol/outcome'
import type { OfferedTool, RunEventOf } from '@/lib/protocol/run-event'
import type { RunFile } from '@/lib/protocol/run-file'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import type { Actor, ToolMeta } from '@/lib/protocol/tool'
import { decideTool } from './policy/decide-tool'
import type { Subject } from './policy/subject'

/** The request of a run and the person who made it. */
export type RunInput = {
  prompt: string
  files?: RunFile[]
  actor: Actor
  snapshot: RunSnapshot
}

/**
 * Returns the first event of a run: the prompt, the configuration as it is now and the verdict on each requested tool
 * (SPEC G-E).
 */
export function runStart(
  { prompt, files = [], actor, snapshot }: RunInput,
  { accepted, rejected }: Offer<ToolMeta>,
  newId: () => string,
): RunEventOf<'run-start'> {
  return {
    type: 'run-start',
    data: {
      prompt: cleanText(prompt),
      ...(files.length > 0 && { files }),
      actor,
      snapshot: { ...snapshot, systemPrompt: cleanText(snapshot.systemPrompt) },
      accepted: accepted.map(offeredTool),
      rejected,
      nonce: unguessable(newId),
      canary: `canary-${unguessable(newId)}`,
    },
  }
}

/** Returns the random part of a UUIDv7, which no author of tool results can guess. */
function unguessable(newId: () => string): string {
  return newId().replaceAll('-', '').slice(-16)
}

function offeredTool({ name, description, group, effect, dataClass }: ToolMeta): OfferedTool {
  return { name, description, group, effect, dataClass }
}

export type Offer<T extends ToolMeta> = {
  accepted: T[]
  rejected: { name: string; gate: GateName; reason: string }[]
}

/**
 * Returns the verdict on every requested tool: those selected for the run, or all. Both lists are sorted by name (SPEC
 * R2, G-E); a selected name without a tool is rejected by `registered`.
 */
export function planOffer<T extends ToolMeta>(
  tools: ReadonlyMap<string, T>,
  subject: Subject,
): Offer<T> {
  const offer: Offer<T> = { accepted: [], rejected: [] }
  for (const name of subject.selected ?? tools.keys()) {
    const tool = tools.get(name)
    const verdict = decideTool(tool, subject)
    if (!verdict.allowed) {
      offer.rejected.push({ name, gate: verdict.gate, reason: verdict.reason })
    } else if (tool) {
      offer.accepted.push(tool)
    }
  }
  offer.accepted.sort(byName)
  offer.rejected.sort(byName)
  return offer
}

/** By code unit, so that the order is the same on every machine and prompt caches keep hitting. */
function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : Number(a.name > b.name)
}
