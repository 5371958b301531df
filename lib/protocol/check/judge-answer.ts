import type { RunState } from '@/lib/protocol/run/fold-run'
import { answerOf } from '@/lib/protocol/run/run-answer'
import type { AssertionOf } from './assertion'
import { assertionText, endedWords, quoted } from './check-words'
import { failed, type Judged, type Matchers, passed } from './judged'

type OfAnswer = AssertionOf<'answer-contains' | 'answer-matches' | 'answer-fits' | 'answer-equals'>

/** Judges an assertion about the answer. A cut answer never passes: what is missing could change the result. */
export function judgeAnswer(assertion: OfAnswer, state: RunState, matchers: Matchers): Judged {
  const text = answerOf(state)
  if (text.trim() === '') {
    const ended = state.end ? ` ${endedWords(state.end)}` : ''
    return failed(`${assertionText(assertion)}: the run has no answer.${ended}`)
  }
  if (isCut(state))
    return failed(`${assertionText(assertion)}: the answer is cut off, so it was not compared.`)
  switch (assertion.type) {
    case 'answer-contains':
      return textJudged(text.includes(assertion.text), assertion, text)
    case 'answer-equals':
      return textJudged(oneSpaced(text) === oneSpaced(assertion.text), assertion, text)
    case 'answer-matches':
      return judgePattern(assertion, text, matchers)
    case 'answer-fits': {
      const [problem] = matchers.checkOutput(assertion.schema, text)
      if (problem === undefined) return passed('The answer fits the JSON Schema.')
      return failed(`The answer does not fit the JSON Schema: ${withoutDot(problem)}.`)
    }
    default:
      return assertion satisfies never
  }
}

const cutReasons: readonly unknown[] = ['length', 'content-filter', 'cut']

/** Returns whether the last answer ended before its end. */
export function isCut({ rounds }: Pick<RunState, 'rounds'>): boolean {
  return cutReasons.includes(rounds.at(-1)?.response?.finishReason)
}

function textJudged(isTrue: boolean, assertion: OfAnswer, text: string): Judged {
  if (isTrue) return passed(`${assertionText(assertion)}.`)
  return failed(`${denied(assertionText(assertion))}. It is ${quoted(text)}.`)
}

/** Returns the opposite of a text that begins with "The answer …". */
function denied(text: string): string {
  return text
    .replace(/^The answer is /, 'The answer is not ')
    .replace(/^The answer contains /, 'The answer does not contain ')
    .replace(/^The answer matches /, 'The answer does not match ')
}

/** States of a pattern times characters that the engine surely matches within a second. */
const mostWork = 50_000_000

function judgePattern(
  assertion: AssertionOf<'answer-matches'>,
  text: string,
  { linearPattern }: Matchers,
): Judged {
  try {
    const { steps, matches } = linearPattern(assertion.pattern)
    if (steps * text.length > mostWork) {
      return failed(
        `${assertionText(assertion)}: the answer is too long to be compared with this pattern within a second. Use a simpler pattern.`,
      )
    }
    return textJudged(matches(text), assertion, text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return failed(`${assertionText(assertion)}: the pattern cannot be used (${withoutDot(why)}).`)
  }
}

function oneSpaced(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

function withoutDot(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
