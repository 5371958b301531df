import { z } from 'zod'
import type { Outcome } from '@/lib/protocol/tool'
import { canonicalJson } from '@/lib/words/json-text'
import type { RunState } from './fold-run'
import type { CallView } from './round-view'

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

/**
 * Facts of a run that goes on from another one (SPEC C2). `editors`: ids of the people who edited what it goes on from, here or in
 * a run before; none of them may approve its calls.
 */
export const Fork = z.object({
  runId: z.uuid(),
  round: z.int().positive(),
  tools: z.record(z.string(), ToolSource),
  editors: z.array(z.string()),
})
export type Fork = z.infer<typeof Fork>

/** Returns whether a tool gave this outcome, and no gate and no check before it. */
export function isRecordable({ type }: Outcome): boolean {
  return type !== 'denied' && type !== 'invalid-arguments'
}

/** Returns whether a call got something from its tool or from a recording. */
export function hasResult({ state }: CallView): boolean {
  if (state.type !== 'ended') return false
  const { outcome } = state
  return isRecordable(outcome) && !(outcome.type === 'failed' && outcome.code === 'no-recording')
}

/** Returns how many recorded results of each tool a run did not use. */
export function unusedRecordings({ copied, rounds }: RunState): Map<string, number> {
  const used = new Map<string, number>()
  const unused = new Map<string, number>()
  const keyOf = ({ name, argumentsText }: Pick<CallView, 'name' | 'argumentsText'>) =>
    `${name}\n${canonicalJson(argumentsText)}`
  const count = (map: Map<string, number>, key: string, by: number) =>
    map.set(key, (map.get(key) ?? 0) + by)
  for (const { calls, round } of rounds)
    if (round > (copied?.round ?? 0))
      for (const call of calls) if (hasResult(call)) count(used, keyOf(call), 1)
  for (const recording of copied?.recordings ?? []) {
    const key = keyOf(recording)
    if ((used.get(key) ?? 0) > 0) count(used, key, -1)
    else count(unused, recording.name, 1)
  }
  return unused
}
