import { outageIn, outageStatuses } from '../../protocol/outage'

/** What the guard knows of the request that is being answered. */
type PageAnswer = { status?: number }

type Answers = { getStore: () => PageAnswer | undefined }

// The guard and the framework's hooks are separate bundles in one process.
const slot = Symbol.for('toolgate.page-answers')
const shared = globalThis as { [slot]?: Answers }

export function setPageAnswers(answers: Answers): void {
  shared[slot] = answers
}

/**
 * Notes why a page failed. The framework answers 500 to whatever ends a page, so the guard puts the status of an outage
 * in its place (SPEC O3a).
 */
export function notePageFailure(error: unknown): void {
  const outage = outageIn(error)
  const answer = shared[slot]?.getStore()
  if (outage && answer) answer.status = outageStatuses[outage]
}
