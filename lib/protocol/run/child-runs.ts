import { z } from 'zod'

/** The call of another run that started a run. `untrusted`: that run had read what others can write. */
export const StartedBy = z.object({
  runId: z.uuid(),
  callId: z.string(),
  untrusted: z.literal(true).optional(),
})
export type StartedBy = z.infer<typeof StartedBy>

/**
 * Limits for runs that a run starts with spawn_run. `atOnce`: by the calls of one round. `ms`: maximum working time of
 * a started run, whatever its configuration says.
 */
export const childLimits = {
  ofRun: 16,
  atOnce: 3,
  ms: 600_000,
  promptCharacters: 20_000,
} as const
