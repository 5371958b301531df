import { z } from 'zod'
import type { GateName, OutcomeType } from '@/lib/protocol/tool'

/** Outcome of a call, in the words of lists: arguments that do not fit count as failed. */
export const CallOutcome = z.enum(['done', 'failed', 'denied', 'timed-out', 'cancelled', 'unknown'])
export type CallOutcome = z.infer<typeof CallOutcome>

type Recorded = z.infer<typeof OutcomeType>

/** Recorded outcomes that belong to each of them. */
export const recordedAs: Record<CallOutcome, readonly [Recorded, ...Recorded[]]> = {
  done: ['ok'],
  failed: ['failed', 'invalid-arguments'],
  denied: ['denied'],
  'timed-out': ['timed-out'],
  cancelled: ['cancelled'],
  unknown: ['unknown'],
}

type OneCall = {
  tool?: string | undefined
  outcome?: CallOutcome | undefined
  gate?: GateName | undefined
}

/**
 * Returns the fact that a run has of which one call fits all of this, as the database notes it (`call_facts`); null =
 * nothing is asked. Only a denied call has a gate, so a gate with another outcome fits no call.
 */
export function callFact({ tool, outcome, gate }: OneCall): string | null {
  const refused = gate && outcome && outcome !== 'denied' ? `outcome:${outcome} gate:${gate}` : null
  const ended = refused ?? (gate ? `gate:${gate}` : outcome && `outcome:${outcome}`)
  return [ended, tool && `tool:${tool}`].filter(Boolean).join(' ') || null
}

/** Number of calls of a run that did not end well. */
export const CallProblems = z.object({
  failed: z.number(),
  denied: z.number(),
  timedOut: z.number(),
})
export type CallProblems = z.infer<typeof CallProblems>

/** Returns such as "1 failed, 2 denied"; empty for none. */
export function callProblemWords({ failed, denied, timedOut }: CallProblems): string {
  const parts = [
    [failed, 'failed'],
    [denied, 'denied'],
    [timedOut, 'timed out'],
  ] as const
  return parts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ')
}
