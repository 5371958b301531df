import 'server-only'
import { checkOutput } from '@/lib/engines/runtime/output-check'
import { readCondition } from '@/lib/engines/runtime/policy/conditions'
import { linearPattern } from '@/lib/json-schema/linear-pattern'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { type JudgeAnswer, notJudged, readJudge } from '@/lib/protocol/check/ask-judge'
import {
  type Assertion,
  type AssertionOf,
  Assertions,
  type JudgedAssertion,
} from '@/lib/protocol/check/assertion'
import type { CheckVerdict } from '@/lib/protocol/check/check'
import { endedWords } from '@/lib/protocol/check/check-words'
import { judgeAssertions } from '@/lib/protocol/check/judge-assertions'
import { stoppedReasons } from '@/lib/protocol/check/propose-assertions'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { hasAnswer } from '@/lib/protocol/run/round-view'

const matchers = { readCondition, linearPattern, checkOutput }

/** Verdict on one try. `reason`: why it did not run; "" = it did. */
type JudgedTry = {
  type: 'judged'
  verdict: CheckVerdict
  reason: string
  judged: JudgedAssertion[]
}

/** `ask`: the judge at this place of the assertions has to be asked before there is a verdict. */
export type TryStep = JudgedTry | { type: 'ask'; place: number; judge: JudgeAssertion }

export type JudgeAssertion = AssertionOf<'judge'>

/** A judge that was asked, or could not be. `state` null = its journal cannot be read. */
export type AskedJudge =
  | { type: 'refused'; reason: string }
  | { type: 'ran'; runId: string; state: RunState | null }

function answerOf(judge: JudgeAssertion, asked: AskedJudge): JudgeAnswer {
  if (asked.type === 'refused') return notJudged(asked.reason, null)
  const { runId, state } = asked
  if (state === null) return notJudged('The run of the judge cannot be read. See the log.', runId)
  return readJudge(judge, { runId, state }, matchers)
}

/** Returns the answers without what looks like a secret: sentences quote arguments and the answer, and outlive the run. */
function withoutSecrets(judged: readonly JudgedAssertion[]): JudgedAssertion[] {
  return judged.map((each) => ({ ...each, sentence: redactText(each.sentence, { hashes: true }) }))
}

/**
 * Judges the run of a try by the assertions that it began with; without a journal, the run was deleted. Judges are asked last and one
 * after the other, and none once the try is red: each costs money. `judges`: those that were asked, by the place of their assertion.
 */
export function judgeTry(
  stored: string,
  state: RunState,
  judges: ReadonlyMap<number, AskedJudge> = new Map(),
): TryStep {
  const assertions = Assertions.parse(JSON.parse(stored))
  const reason = reasonAgainst(assertions, state)
  if (reason !== null) return { type: 'judged', verdict: 'not-run', reason, judged: [] }
  const judged = judgeAssertions(assertions, { state, matchers })
  let isGreen = judged.every(({ passed, judge }) => passed || judge)
  for (const [place, assertion] of assertions.entries()) {
    if (assertion.type !== 'judge' || !isGreen) continue
    const asked = judges.get(place)
    if (!asked) return { type: 'ask', place, judge: assertion }
    const { sentence, ...judge } = answerOf(assertion, asked)
    const passed = judge.verdict === 'passed'
    judged[place] = { assertion, passed, sentence, judge }
    isGreen = passed
  }
  const verdict = isGreen ? 'passed' : 'failed'
  return { type: 'judged', verdict, reason: '', judged: withoutSecrets(judged) }
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
