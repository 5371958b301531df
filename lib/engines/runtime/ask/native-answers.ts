import type { RunEventBody } from '@/lib/protocol/run/run-event'

/** Native answers by round. They are stored beside the journal: no event and no state has them. */
export type NativeAnswers = Map<number, string>

/**
 * Keeps the provider's own form of a message under its round; a pruning warning drops those of the pruned rounds (SPEC
 * R13, R15c).
 */
export function keepNative(answers: NativeAnswers, body: RunEventBody, native?: string): void {
  if (body.type === 'message' && native !== undefined) answers.set(body.data.round, native)
  if (body.type !== 'warning' || body.data.prunedThrough === null) return
  for (const round of answers.keys()) if (round <= body.data.prunedThrough) answers.delete(round)
}
