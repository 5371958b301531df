import type { TrialEvent, TriedChange } from '@toolgate/server/doors/stream-trial'
import type { PolicyTrial } from '@toolgate/server/runs/replay/trial-shape'
import type { z } from 'zod'
import { streamedWork } from '@/components/forms/streamed-work'
import type { ActionResult } from '@/lib/next/action'

export type Tried = z.input<typeof TriedChange>

/** Runs that were replayed, of all that are. */
export type Progress = { done: number; of: number }

type Watch = { onProgress: (progress: Progress) => void; signal: AbortSignal }

/**
 * Tries a change on past runs and returns what it would do to them; `onProgress` gets how far it is. The trial ends when `signal`
 * aborts. Throws what `fetch` does, and TypeError when the server breaks off.
 */
export async function sendTrial(
  tried: Tried,
  { onProgress, signal }: Watch,
): Promise<ActionResult<PolicyTrial>> {
  const opened = await streamedWork<TrialEvent>('/api/policy/try', { body: tried, signal })
  if (!opened.ok) return opened
  for await (const event of opened.value) {
    if (event.type === 'progress') onProgress(event)
    else if (event.type === 'outcome') return { ok: true, value: event.trial }
    else return { ok: false, error: event.error }
  }
  throw new TypeError('The trial ended without an answer.')
}
