import type { EndReason } from '@/lib/protocol/run/run-event'

/** `failed` = it could not be done, `usage` = the command line is wrong, `notRun` = a check did not run, `interrupted` = left by a second Ctrl-C. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, notRun: 4, interrupted: 130 } as const

const byReason: Record<EndReason, number> = {
  completed: exitCodes.ok,
  'max-rounds': 10,
  budget: 11,
  length: 12,
  'content-filter': 13,
  loop: 14,
  context: 15,
  'time-limit': 16,
  'provider-error': 17,
  'internal-error': 18,
  frozen: 19,
  'cost-cap': 20,
  revoked: 21,
  'invalid-output': 22,
  'no-price': 23,
  cancelled: exitCodes.interrupted,
}

/**
 * Returns the exit code of `toolgate run`; the table is in docs/cli-reference.md. A run whose hop budget is used up did all that it may
 * do, so its final answer is a success (SPEC W).
 */
export function exitCodeOf(reason: EndReason, answeredAfterHops = false): number {
  return reason === 'max-rounds' && answeredAfterHops ? exitCodes.ok : byReason[reason]
}
