import { z } from 'zod'

/** Source of the results of a tool in a run that goes on from another one. Tools without an entry give recorded results. */
export const ToolSource = z.discriminatedUnion('type', [
  /** It is called. */
  z.strictObject({ type: z.literal('live') }),
  /** It returns this text to every call. */
  z.strictObject({ type: z.literal('fixed'), content: z.string().max(100_000) }),
  /** Its calls fail. */
  z.strictObject({ type: z.literal('refused') }),
])
export type ToolSource = z.infer<typeof ToolSource>

/** Facts of a run that goes on from another one (SPEC C2). */
export const Fork = z.object({
  runId: z.uuid(),
  round: z.int().positive(),
  /** By tool. */
  sources: z.record(z.string(), ToolSource),
})
export type Fork = z.infer<typeof Fork>
