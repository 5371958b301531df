import { z } from 'zod'

/** A text as it is kept: its first 64 KiB for people, with the SHA-256 (hexadecimal) and the bytes of the whole. */
export const SeenText = z.object({ text: z.string(), sha256: z.string(), bytes: z.int() })
export type SeenText = z.infer<typeof SeenText>

/** Content that a tool saw at the target of a call. `problem` states in words why it saw nothing. */
export const Seen = z.discriminatedUnion('type', [
  z.object({ type: z.literal('nothing') }),
  SeenText.extend({ type: z.literal('text') }),
  z.object({ type: z.literal('unread'), problem: z.string() }),
])
export type Seen = z.infer<typeof Seen>

/**
 * Preview for an approver: the target before the call and after it; null: not known. `isAct`: `before` is the act
 * itself, word for word, such as a command line or a message; nothing is read back after it.
 */
export const Preview = z.object({
  before: Seen,
  becomes: SeenText.nullable(),
  isAct: z.literal(true).optional(),
})
export type Preview = z.infer<typeof Preview>

/** The target before a call, the approved text (null: not known), and the target when it was read back. */
export const WriteCheck = z.object({ before: Seen, approved: SeenText.nullable(), after: Seen })
export type WriteCheck = z.infer<typeof WriteCheck>

/** Returns whether the same is there both times. What was not read is the same as nothing else. */
export function isSameSeen(a: Seen, b: Seen): boolean {
  if (a.type === 'text' && b.type === 'text') return a.sha256 === b.sha256
  return a.type === 'nothing' && b.type === 'nothing'
}

/**
 * The target of a call now and after it; null: nothing, or not known. The `read` of a tool returns both where only the
 * target itself can state the later text.
 */
export type TargetState = { now: string | null; becomes: string | null }
