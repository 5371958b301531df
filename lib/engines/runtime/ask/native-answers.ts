import type { RunEventBody } from '@/lib/protocol/run/run-event'

/** Native answers by round. They are stored beside the journal: no event and no state has them. */
export type NativeAnswers = Map<number, string>

/** Stores the native answer of a message, and drops those that are no longer sent to any model (SPEC R13, R15c). */
export function keepNative(answers: NativeAnswers, body: RunEventBody, native?: string): void {
  if (body.type === 'message' && native !== undefined) answers.set(body.data.round, native)
  if (body.type !== 'warning' || body.data.prunedThrough === null) return
  for (const round of answers.keys()) if (round <= body.data.prunedThrough) answers.delete(round)
}
