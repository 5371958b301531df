import { z } from 'zod'
import { OutcomeType } from '@/lib/protocol/tool'

/** Context for an approver of a waiting call: the arguments of its tool, and the earlier calls of its run. */
export const ApprovalContext = z.object({
  /** The arguments of the tool as a JSON Schema; null = the tool is gone. */
  parameters: z.record(z.string(), z.unknown()).nullable(),
  /** The last calls of the run that ended, the oldest first. */
  calls: z.array(z.object({ callId: z.string(), toolName: z.string(), outcome: OutcomeType })),
  /** Number of ended calls of the run. */
  callCount: z.int(),
  /** Number of notes by earlier runs in the prompt of the run. */
  notesInPrompt: z.int(),
  /**
   * Each tool that returned what others can write, in the run or in a turn before it, with its first such call. `turn`: the run of that
   * call. `server` null = the tool belongs to none.
   */
  untrusted: z.array(
    z.object({
      callId: z.string(),
      toolName: z.string(),
      turn: z.string(),
      server: z.string().nullable(),
    }),
  ),
  /** Changes that people made to the rounds that it goes on from. */
  edits: z.array(
    z.object({
      round: z.int(),
      what: z.enum(['answer', 'arguments', 'result']),
      /** The tool of the call; null = the answer, or a call without a result. */
      toolName: z.string().nullable(),
      by: z.string(),
    }),
  ),
  /** Tools that return a text which the person of the run wrote. */
  fixed: z.array(z.string()),
})
export type ApprovalContext = z.infer<typeof ApprovalContext>
