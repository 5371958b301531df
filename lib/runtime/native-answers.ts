import type { RunEventBody } from '@/lib/protocol/run-event'

/** Answers as their providers wrote them, by round. They stand beside the journal: no event and no state has them. */
export type NativeAnswers = Map<number, string>

/** Keeps what comes with a message, and drops what is no longer sent to any model (SPEC R13, R15c). */
export function keepNative(answers: NativeAnswers, body: RunEventBody, native?: string): void {
  if (body.type === 'message' && native !== undefined) answers.set(body.data.round, native)
  if (body.type !== 'warning' || body.data.prunedThrough === null) return
  for (const round of answers.keys()) if (round <= body.data.prunedThrough) answers.delete(round)
}
