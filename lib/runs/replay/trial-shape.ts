import { z } from 'zod'
import { RunPlace } from '@/lib/engines/runtime/replay/differences'
import { GateName } from '@/lib/protocol/tool'

/**
 * A run that the draft would change, or that a rule of it would note, with the first such thing in it: as it was, as it would be
 * today, and with the draft, in sentences. `createdAt` is ISO text in UTC.
 */
export const ChangedRun = z.object({
  runId: z.string(),
  prompt: z.string(),
  createdAt: z.string(),
  place: RunPlace,
  was: z.string(),
  today: z.string(),
  draft: z.string(),
  gate: GateName.nullable(),
})
export type ChangedRun = z.infer<typeof ChangedRun>

/**
 * Outcome of a trial. `found`: runs that fit; `replayed`: those of them that were replayed, the newest first. `changed`: runs that
 * the draft would change; `noted`: runs that it would change in nothing but the notes of rules that only observe; `runs`
 * lists the newest of both. `changedToday`: runs that would go otherwise today, without the draft. `baseline`: changed runs
 * that differ when today's policy is replayed twice; it has to be 0. `waysOut`: calls that nobody could approve with the draft and
 * that somebody can approve today, in sentences.
 */
export const PolicyTrial = z.object({
  found: z.int(),
  replayed: z.int(),
  changed: z.int(),
  noted: z.int(),
  changedToday: z.int(),
  baseline: z.int(),
  unreplayable: z.array(z.object({ why: z.string(), count: z.int() })),
  runs: z.array(ChangedRun),
  waysOut: z.array(z.string()),
})
export type PolicyTrial = z.infer<typeof PolicyTrial>
