import { z } from 'zod'
import { RunFile } from './run-file'
import { Artifact } from './tool'

export const gateNames = [
  'registered',
  'frozen',
  'group',
  'enabled',
  'role',
  'configuration',
  'trust-zone',
  'skills',
  'selection',
  'pinned',
] as const
/** The gates of SPEC section 4 in the order they are asked, plus what can stop a call inside a run. */
export const GateName = z.enum([
  ...gateNames,
  'offer',
  'round-limit',
  'hop-budget',
  'state',
  'run-ended',
  'cost-cap',
  'approval',
  'canary',
])
export type GateName = z.infer<typeof GateName>

/** What of a configuration said no, where it was not its tool groups: who may use it, or that it is on. */
export const DenialPart = z.enum(['audience', 'switch'])
export type DenialPart = z.infer<typeof DenialPart>

/** One answer of one gate; `reason` is a sentence for people, `part` says more exactly what to look at. */
export const Denial = z.object({
  allowed: z.literal(false),
  gate: GateName,
  reason: z.string(),
  part: DenialPart.optional(),
})
export type Denial = z.infer<typeof Denial>
export const Verdict = z.discriminatedUnion('allowed', [
  z.object({ allowed: z.literal(true) }),
  Denial,
])
export type Verdict = z.infer<typeof Verdict>

/**
 * How a call ended. `content` is the result after cutting to 64 KiB (SPEC T5), before wrapping; `originalBytes` is
 * the UTF-8 size of the whole result; `flags` names the suspicious phrases found in it, once for each place
 * (SPEC T6).
 */
export const Outcome = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ok'),
    content: z.string(),
    truncated: z.boolean(),
    originalBytes: z.int(),
    artifacts: z.array(Artifact),
    /** What came with the result, stored beside the journal; absent = none. */
    images: z.array(RunFile).optional(),
    /** Sentences about images that were not kept; absent = all were. */
    imagesLeftOut: z.array(z.string()).optional(),
    flags: z.array(z.string()),
  }),
  z.object({ type: z.literal('denied'), gate: GateName, reason: z.string() }),
  z.object({ type: z.literal('invalid-arguments'), issues: z.array(z.string()) }),
  z.object({
    type: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    incidentId: z.string().nullable(),
  }),
  z.object({ type: z.literal('timed-out'), timeoutMs: z.int() }),
  z.object({ type: z.literal('cancelled'), reason: z.string() }),
  z.object({ type: z.literal('unknown'), reason: z.string() }),
])
export type Outcome = z.infer<typeof Outcome>
