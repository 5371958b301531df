import { addCost } from '@/lib/protocol/cost/cost'
import { endReasonWords } from '@/lib/protocol/run/end-reason-words'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { hasAnswer } from '@/lib/protocol/run/round-view'
import { waitsOf, workMsOf } from '@/lib/protocol/run/work-time'
import { countOf, formatCostMicroUsd, formatDuration, formatTokens } from '@/lib/words/format'
import type { Assertion, AssertionOf, JudgedAssertion } from './assertion'
import { assertionText, endedWords, quoted } from './check-words'
import { judgeAnswer } from './judge-answer'
import { judgeCalls } from './judge-calls'
import { failed, type Judged, type Matchers, passed } from './judged'

/**
 * Returns for each assertion whether the run fulfils it, in the same order. Of a run that has not ended, and of one in which no model
 * answered, nothing passes but its end reason: what did not happen in it says nothing. No judge is asked. Never throws.
 */
export function judgeAssertions(
  assertions: readonly Assertion[],
  { state, matchers }: { state: RunState; matchers: Matchers },
): JudgedAssertion[] {
  return assertions.map((assertion) =>
    assertion.type === 'judge'
      ? { assertion, ...notAsked }
      : { assertion, ...judge(assertion, state, matchers) },
  )
}

const notAsked: Omit<JudgedAssertion, 'assertion'> = {
  ...failed('Not asked, because the try is red already.'),
  judge: { verdict: 'not-asked', runId: null },
}

function judge(
  assertion: Exclude<Assertion, { type: 'judge' }>,
  state: RunState,
  matchers: Matchers,
): Judged {
  const { end } = state
  if (!end) return failed(`${assertionText(assertion)}: the run has not ended.`)
  if (assertion.type === 'end-reason') return judgeEnd(assertion, end)
  if (!hasAnswer(state.rounds)) {
    return failed(`${assertionText(assertion)}: no model answered. ${endedWords(end)}`)
  }
  switch (assertion.type) {
    case 'answer-contains':
    case 'answer-matches':
    case 'answer-fits':
    case 'answer-equals':
      return judgeAnswer(assertion, state, matchers)
    case 'rounds-at-most':
    case 'tokens-at-most':
    case 'cost-at-most':
    case 'seconds-at-most':
      return judgeFigure(assertion, state, end)
    default:
      return judgeCalls(assertion, state, matchers)
  }
}

type End = NonNullable<RunState['end']>

function judgeEnd({ reason }: AssertionOf<'end-reason'>, end: End): Judged {
  if (reason === end.reason) return passed(endedWords(end))
  return failed(`${endedWords(end)} The check asserts ${quoted(endReasonWords[reason])}.`)
}

type Figure = AssertionOf<'rounds-at-most' | 'tokens-at-most' | 'cost-at-most' | 'seconds-at-most'>

function judgeFigure(assertion: Figure, state: RunState, end: End): Judged {
  const { figure, most, verb, words } = figureOf(assertion, state, end)
  if (figure === null) return failed('The cost of the run is not known: a request is unpriced.')
  const happened = `The run ${verb} ${words(figure)}`
  return figure <= most
    ? passed(`${happened}.`)
    : failed(`${happened}. The limit is ${words(most)}.`)
}

/** `figure` null: not known. */
type FigureOfRun = {
  figure: number | null
  most: number
  verb: string
  words: (figure: number) => string
}

function figureOf(assertion: Figure, state: RunState, end: End): FigureOfRun {
  switch (assertion.type) {
    case 'rounds-at-most':
      return {
        figure: state.rounds.length,
        most: assertion.count,
        verb: 'took',
        words: (count) => countOf(count, 'round'),
      }
    case 'tokens-at-most':
      return {
        figure: state.usage.inputTokens + state.usage.outputTokens,
        most: assertion.count,
        verb: 'used',
        words: formatTokens,
      }
    case 'cost-at-most':
      return {
        figure: addCost(state.costMicroUsd, state.childrenMicroUsd),
        most: assertion.microUsd,
        verb: 'cost',
        words: formatCostMicroUsd,
      }
    case 'seconds-at-most':
      return {
        figure: workMsOf(end.wallTimeMs, waitsOf(state)),
        most: assertion.seconds * 1_000,
        verb: 'worked for',
        words: formatDuration,
      }
    default:
      return assertion satisfies never
  }
}
