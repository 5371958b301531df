import { z } from 'zod'

/**
 * Treatment of calls that write after a run has read content that others can write (SPEC G-U), the most restrictive
 * first: instructions in that content could make the model write for somebody else.
 */
export const AfterUntrusted = z.enum(['refuse', 'ask', 'allow'])
export type AfterUntrusted = z.infer<typeof AfterUntrusted>

/** Completes "After a run has read what others can write, calls that write …". */
export const afterUntrustedWords: Record<AfterUntrusted, string> = {
  refuse: 'are refused',
  ask: 'wait for approval',
  allow: 'start as before',
}

/** Returns the more restrictive one. */
export function stricterAfterUntrusted(a: AfterUntrusted, b: AfterUntrusted): AfterUntrusted {
  const [first, second] = [a, b].map((each) => AfterUntrusted.options.indexOf(each))
  return (first ?? 0) <= (second ?? 0) ? a : b
}
