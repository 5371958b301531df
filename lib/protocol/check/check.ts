import { z } from 'zod'
import { ToolSource } from '@/lib/protocol/run/fork'
import { Recording } from '@/lib/protocol/run/recording'

/**
 * Source of the results of a check's tools. `recorded`: each tool gives its recorded results. `live`: tools are called, but
 * those that write stay recorded unless the sources of the check name them live.
 */
export const CheckMode = z.enum(['recorded', 'live'])
export type CheckMode = z.infer<typeof CheckMode>

/** A call of the run that a check was saved from, with its outcome. */
export const CheckRecording = Recording
export type CheckRecording = Recording

/** The check that a run runs, as its first event keeps it. */
export const CheckOfRun = z.object({
  checkId: z.uuid(),
  name: z.string(),
  mode: CheckMode,
  /** By tool, as for a run that goes on from another one. */
  sources: z.record(z.string(), ToolSource),
})
export type CheckOfRun = z.infer<typeof CheckOfRun>

/** The run of a check that another run judges, as the first event of that one keeps it. */
export const JudgedRun = z.object({ checkId: z.uuid(), name: z.string(), runId: z.uuid() })
export type JudgedRun = z.infer<typeof JudgedRun>

/** Result of one try of a check. `not-run`: its run did not start, or ended before the model answered. */
export const CheckVerdict = z.enum(['passed', 'failed', 'not-run'])
export type CheckVerdict = z.infer<typeof CheckVerdict>
