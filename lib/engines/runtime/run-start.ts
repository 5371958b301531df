import { cleanText } from '@/lib/protocol/clean-text'
import type { OfferedTool, RunEventOf } from '@/lib/protocol/run-event'
import type { RunFile } from '@/lib/protocol/run-file'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import type { Actor, ToolMeta } from '@/lib/protocol/tool'
import type { Offer } from './plan-offer'

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
