import { conditionWords } from '@/lib/protocol/condition-words'
import { gateTitle } from '@/lib/protocol/gate-answers'
import { endReasonWords } from '@/lib/protocol/run/end-reason-words'
import type { RunEnd } from '@/lib/protocol/run/fold-run'
import type { Outcome } from '@/lib/protocol/tool'
import { firstWords } from '@/lib/words/clean-text'
import { countOf, formatCostMicroUsd, formatCount, formatTokens } from '@/lib/words/format'
import type { Assertion } from './assertion'

/** Completes "A call of fetch_logs …". */
export const callEndWords: Record<Outcome['type'], string> = {
  ok: 'succeeds',
  failed: 'fails',
  denied: 'is denied',
  'invalid-arguments': 'has arguments that do not fit',
  'timed-out': 'times out',
  cancelled: 'is cancelled',
  unknown: 'has an unknown outcome',
}

/** Returns an assertion as it stands in a list: "Calls fetch_logs at least once". */
export function assertionText(assertion: Assertion): string {
  switch (assertion.type) {
    case 'tool-called':
      return `Calls ${toolWords(assertion.tool)} at least ${timesWords(assertion.atLeast)}`
    case 'tool-not-called':
      return `Does not call ${toolWords(assertion.tool)}`
    case 'tools-in-order':
      return `Calls ${assertion.tools.map(toolWords).join(', then ')}`
    case 'calls-at-most':
      return capText(assertion.tool, assertion.count)
    case 'argument':
      return `Calls ${toolWords(assertion.tool)} where ${conditionWords(assertion)}`
    case 'call-outcome':
      return `A call of ${toolWords(assertion.tool)} ${callEndWords[assertion.outcome]}`
    case 'approval-asked':
      return `A call of ${toolWords(assertion.tool)} waits for approval`
    case 'gate-refused':
      return `${gateWords(assertion.gate)} refuses ${toolWords(assertion.tool)}`
    case 'answer-contains':
      return `The answer contains ${quoted(assertion.text)}`
    case 'answer-matches':
      return `The answer matches the pattern ${quoted(assertion.pattern)}`
    case 'answer-fits':
      return 'The answer fits the JSON Schema'
    case 'answer-equals':
      return `The answer is ${quoted(assertion.text)}`
    case 'end-reason':
      return `Ends with ${quoted(endReasonWords[assertion.reason])}`
    case 'rounds-at-most':
      return `Takes at most ${countOf(assertion.count, 'round')}`
    case 'tokens-at-most':
      return `Uses at most ${formatTokens(assertion.count)}`
    case 'cost-at-most':
      return `Costs at most ${formatCostMicroUsd(assertion.microUsd)}`
    case 'seconds-at-most':
      return `Works for at most ${secondsWords(assertion.seconds)}`
    case 'judge':
      return `Passes the judge ${toolWords(assertion.configuration)}: ${quoted(assertion.rubric)}`
    default:
      return assertion satisfies never
  }
}

function capText(tool: string | null, count: number): string {
  if (count === 0) return tool === null ? 'Calls no tool' : `Does not call ${toolWords(tool)}`
  return `Calls ${tool === null ? 'tools' : toolWords(tool)} at most ${timesWords(count)}`
}

/** Returns the end of a run as a sentence. */
export function endedWords({ reason, notStarted }: Pick<RunEnd, 'reason' | 'notStarted'>): string {
  const word = endReasonWords[reason]
  return notStarted ? `The run did not start: ${word}.` : `The run ended with ${quoted(word)}.`
}

/** Returns "once", "twice", "3 times". */
export function timesWords(count: number): string {
  if (count === 1) return 'once'
  return count === 2 ? 'twice' : `${formatCount(count)} times`
}

function secondsWords(seconds: number): string {
  if (seconds === 1) return '1 second'
  return `${Number.isInteger(seconds) ? formatCount(seconds) : seconds} seconds`
}

/** Returns a gate as the subject of a sentence. */
export function gateWords(gate: Parameters<typeof gateTitle>[0]['gate']): string {
  return `The gate “${gateTitle({ gate })}”`
}

/** Returns the name of a tool or a configuration in one line. Models write any characters. */
export function toolWords(name: string): string {
  return firstWords(name, 100)
}

/** Returns the first words of a text in quotation marks. */
export function quoted(text: string): string {
  return `“${firstWords(text)}”`
}
