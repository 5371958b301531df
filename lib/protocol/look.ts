import { z } from 'zod'

/** A text as it is kept: its first 64 KiB for people, with the SHA-256 (hexadecimal) and the bytes of the whole. */
export const SeenText = z.object({ text: z.string(), sha256: z.string(), bytes: z.int() })
export type SeenText = z.infer<typeof SeenText>

/** What a tool saw where a call writes. `problem` says in words why it saw nothing. */
export const Seen = z.discriminatedUnion('type', [
  z.object({ type: z.literal('nothing') }),
  SeenText.extend({ type: z.literal('text') }),
  z.object({ type: z.literal('unread'), problem: z.string() }),
])
export type Seen = z.infer<typeof Seen>

/**
 * What a person sees before they approve: what is there, and what will be there; null = that is not known. `isAct`: `before` is
 * what the call does, word for word, such as a command line or a message; nothing is read back after it.
 */
export const Preview = z.object({
  before: Seen,
  becomes: SeenText.nullable(),
  isAct: z.literal(true).optional(),
})
export type Preview = z.infer<typeof Preview>

/** What was there before a call, what it was to write (null = not known), and what was read back after it. */
export const WriteCheck = z.object({ before: Seen, approved: SeenText.nullable(), after: Seen })
export type WriteCheck = z.infer<typeof WriteCheck>

/** Returns whether the same is there both times. What was not read is the same as nothing else. */
export function isSameSeen(a: Seen, b: Seen): boolean {
  if (a.type === 'text' && b.type === 'text') return a.sha256 === b.sha256
  return a.type === 'nothing' && b.type === 'nothing'
}

/**
 * What is there now for a call, and what will be there after it; null = nothing, or not known. A tool's `read` returns both where only
 * the place itself says what will be there.
 */
export type Sight = { now: string | null; becomes: string | null }
