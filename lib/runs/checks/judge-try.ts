import 'server-only'
import { checkOutput } from '@/lib/engines/runtime/output-check'
import { readCondition } from '@/lib/engines/runtime/policy/conditions'
import { linearPattern } from '@/lib/json-schema/linear-pattern'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { type Assertion, Assertions, type JudgedAssertion } from '@/lib/protocol/check/assertion'
import type { CheckVerdict } from '@/lib/protocol/check/check'
import { endedWords } from '@/lib/protocol/check/check-words'
import { judgeAssertions } from '@/lib/protocol/check/judge-assertions'
import { stoppedReasons } from '@/lib/protocol/check/propose-assertions'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { hasAnswer } from '@/lib/protocol/run/round-view'
import type { RunEvent } from '@/lib/protocol/run/run-event'

const matchers = { readCondition, linearPattern, checkOutput }

/** Verdict on one try. `reason`: why it did not run; "" = it did. */
export type JudgedTry = {
  verdict: CheckVerdict
  reason: string
  judged: JudgedAssertion[]
}

/** Returns the answers without what looks like a secret: sentences quote arguments and the answer, and outlive the run. */
function withoutSecrets(judged: readonly JudgedAssertion[]): JudgedAssertion[] {
  return judged.map((each) => ({ ...each, sentence: redactText(each.sentence, { hashes: true }) }))
}

/** Judges the run of a try by the assertions that it began with. Without a journal, the run was deleted. */
export function judgeTry(stored: string, events: readonly RunEvent[]): JudgedTry {
  const assertions = Assertions.parse(JSON.parse(stored))
  const state = foldRun(events)
  const reason = reasonAgainst(assertions, state)
  const judged = state.end ? withoutSecrets(judgeAssertions(assertions, { state, matchers })) : []
  if (reason !== null) return { verdict: 'not-run', reason, judged: [] }
  const isGreen = judged.every(({ passed }) => passed)
  return { verdict: isGreen ? 'passed' : 'failed', reason: '', judged }
}

/**
 * Returns why the run of a try says nothing about its check: it was deleted, stopped, or ended before a model answered; null = it does. One
 * that ends as its check asserts says what it should.
 */
function reasonAgainst(
  assertions: readonly Assertion[],
  { end, rounds }: Pick<RunState, 'end' | 'rounds'>,
): string | null {
  if (!end) return 'The run was deleted before it was judged.'
  const isAsserted = assertions.some(
    (assertion) => assertion.type === 'end-reason' && assertion.reason === end.reason,
  )
  if (isAsserted || (hasAnswer(rounds) && !stoppedReasons.includes(end.reason))) return null
  return [endedWords(end), end.failure?.advice ?? end.message].filter(Boolean).join(' ')
}
