import 'server-only'
import { readNotes } from '@/lib/domains/memory/store'
import { suspiciousPhrases } from '@/lib/engines/runtime/call/suspicious-phrases'
import { notesVerdict } from '@/lib/engines/runtime/policy/notes-verdict'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import type { Tx } from '@/lib/kernel/db'
import type { PromptMemory } from '@/lib/protocol/memory'
import { memoryLimits } from '@/lib/protocol/memory'
import { fittingNotes } from '@/lib/protocol/prompt-memory'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { ToolMeta } from '@/lib/protocol/tool'

type Beginning = {
  userId: string
  snapshot: RunSnapshot
  tools: ReadonlyMap<string, ToolMeta>
  subject: Subject
}

/**
 * Reads the notes that stand in the prompt of a run that begins: those of its person with its configuration, and no others.
 * Undefined = its configuration does not ask for them, or the run tries a tool and has no model that could read them.
 */
export async function readPromptMemory(
  client: Tx,
  { userId, snapshot, tools, subject }: Beginning,
): Promise<PromptMemory | undefined> {
  const { configurationId, memoryInPrompt, isTry } = snapshot
  if (!memoryInPrompt || configurationId === null || isTry) return undefined
  const verdict = notesVerdict(tools, subject)
  if (!verdict.allowed) {
    const { gate, reason, part } = verdict
    return { type: 'denied', gate, reason, ...(part && { part }) }
  }
  const every = { search: null, limit: memoryLimits.notes }
  const stored = await readNotes(client, { userId, configurationId }, every)
  const { notes, leftOut } = fittingNotes(
    stored.map(({ id, text, updatedAt }) => ({ id, text, date: updatedAt.toISOString() })),
  )
  const flags = notes.flatMap(({ text }) => suspiciousPhrases(text))
  return { type: 'read', notes, leftOut, flags }
}
