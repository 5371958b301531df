import { conditionWords } from '@/lib/protocol/condition-words'
import { gateTitle } from '@/lib/protocol/gate-answers'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { firstWords } from '@/lib/words/clean-text'
import { countOf, formatCount } from '@/lib/words/format'
import { nestedTooDeeply } from '@/lib/words/json-text'
import type { AssertionOf } from './assertion'
import { type EndedCall, endedCalls, endingWords, refusedBy } from './call-ending'
import { gateWords, timesWords, toolWords } from './check-words'
import { failed, type Judged, type Matchers, passed } from './judged'

type OfCalls = AssertionOf<
  | 'tool-called'
  | 'tool-not-called'
  | 'tools-in-order'
  | 'calls-at-most'
  | 'argument'
  | 'call-outcome'
  | 'approval-asked'
  | 'gate-refused'
>

/** Judges an assertion about the calls that the model asked for, whether or not they ran. */
export function judgeCalls(assertion: OfCalls, state: RunState, matchers: Matchers): Judged {
  const calls = endedCalls(state)
  const judged = judgeEnded(assertion, calls, state, matchers)
  if (judged.passed || !('tool' in assertion) || assertion.type === 'gate-refused') return judged
  const { tool } = assertion
  const refused = state.start?.rejected.find(({ name }) => name === tool)
  if (!refused || calls.some(({ name }) => name === tool)) return judged
  return failed(`${judged.sentence} ${gateWords(refused.gate)} refused it at the start.`)
}

function judgeEnded(
  assertion: OfCalls,
  calls: readonly EndedCall[],
  state: RunState,
  matchers: Matchers,
): Judged {
  switch (assertion.type) {
    case 'tool-called':
      return judgeCalled(assertion, calls)
    case 'tool-not-called':
      return judgeNotCalled(assertion, calls)
    case 'tools-in-order':
      return judgeOrder(assertion, calls)
    case 'calls-at-most':
      return judgeCap(assertion, calls)
    case 'argument':
      return judgeArgument(assertion, calls, matchers)
    case 'call-outcome':
      return judgeOutcome(assertion, calls)
    case 'approval-asked':
      return judgeApproval(assertion, calls)
    case 'gate-refused':
      return judgeGate(assertion, calls, state)
    default:
      return assertion satisfies never
  }
}

function judgeCalled(
  { tool, atLeast }: AssertionOf<'tool-called'>,
  calls: readonly EndedCall[],
): Judged {
  const { length } = callsOf(tool, calls)
  if (length >= atLeast) return passed(`${calledWords(tool, calls)}.`)
  if (length === 0) return failed(notCalledWords(tool, calls))
  return failed(`${calledWords(tool, calls)}, not at least ${timesWords(atLeast)}.`)
}

function judgeNotCalled(
  { tool }: AssertionOf<'tool-not-called'>,
  calls: readonly EndedCall[],
): Judged {
  const found = callsOf(tool, calls)
  if (found.length === 0) return passed(`${calledWords(tool, calls)}.`)
  return failed(`${calledWords(tool, calls)}: ${endingsWords(found)}.`)
}

function judgeOrder({ tools }: AssertionOf<'tools-in-order'>, calls: readonly EndedCall[]): Judged {
  let found = 0
  for (const { name } of calls) if (name === tools[found]) found += 1
  const wanted = tools.map(toolWords).join(', then ')
  const missing = tools[found]
  if (missing === undefined) return passed(`The run called ${wanted}.`)
  const before = tools.slice(0, found).map(toolWords).join(', then ')
  const reached = before === '' ? 'was not called' : `was not called after ${before}`
  return failed(
    `${toolWords(missing)} ${reached}. The check asserts ${wanted}. ${sequenceWords(calls)}`,
  )
}

function judgeCap(
  { tool, count }: AssertionOf<'calls-at-most'>,
  calls: readonly EndedCall[],
): Judged {
  const counted = tool === null ? calls : callsOf(tool, calls)
  const happened = tool === null ? totalWords(calls) : `${calledWords(tool, calls)}.`
  if (counted.length <= count) return passed(happened)
  return failed(`${happened} The limit is ${countOf(count, 'call')}.`)
}

function judgeArgument(
  { tool, path, operator, value, loose }: AssertionOf<'argument'>,
  calls: readonly EndedCall[],
  { readCondition }: Matchers,
): Judged {
  const condition = { path, operator, value, ...(loose && { loose }) }
  const words = conditionWords(condition)
  const found = callsOf(tool, calls)
  if (found.length === 0) return failed(notCalledWords(tool, calls))
  const answers = found.map(({ argumentsText }) => fits(argumentsText, condition, readCondition))
  if (answers.includes(true)) return passed(`A call of ${toolWords(tool)} fits: ${words}.`)
  const [error] = answers.filter((answer) => typeof answer === 'string')
  const why = error === undefined ? '' : ` Some could not be compared: ${error}.`
  const given = found.slice(0, mostShown).map((call) => firstWords(call.argumentsText, 120))
  const shown = joined(given, found.length - given.length)
  return failed(`No call of ${toolWords(tool)} fits: ${words}. The arguments were ${shown}.${why}`)
}

/** Returns whether arguments fit a condition, or why they cannot be compared, without a final dot. */
function fits(
  argumentsText: string,
  condition: Parameters<Matchers['readCondition']>[0],
  readCondition: Matchers['readCondition'],
): boolean | string {
  if (nestedTooDeeply(argumentsText)) return 'they are nested too deeply'
  const args = parsed(argumentsText)
  if (args === undefined) return 'they are not JSON'
  try {
    return readCondition(condition, args).holds
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
  }
}

function parsed(argumentsText: string): unknown {
  try {
    return JSON.parse(argumentsText)
  } catch {
    return undefined
  }
}

function judgeOutcome(
  { tool, outcome }: AssertionOf<'call-outcome'>,
  calls: readonly EndedCall[],
): Judged {
  const found = callsOf(tool, calls)
  if (found.length === 0) return failed(notCalledWords(tool, calls))
  const happened = `${calledWords(tool, calls)}: ${endingsWords(found)}`
  if (found.some(({ ending }) => ending === outcome)) return passed(`${happened}.`)
  return failed(`No call of ${toolWords(tool)} ${endingWords[outcome]}. ${happened}.`)
}

function judgeApproval(
  { tool }: AssertionOf<'approval-asked'>,
  calls: readonly EndedCall[],
): Judged {
  const found = callsOf(tool, calls)
  if (found.length === 0) return failed(notCalledWords(tool, calls))
  const asked = found.filter(({ approval }) => approval !== null)
  if (asked.length > 0)
    return passed(`${countOf(asked.length, 'call')} of ${toolWords(tool)} waited for approval.`)
  return failed(`${calledWords(tool, calls)}, without approval: ${endingsWords(found)}.`)
}

function judgeGate(
  { tool, gate }: AssertionOf<'gate-refused'>,
  calls: readonly EndedCall[],
  { start }: RunState,
): Judged {
  const found = callsOf(tool, calls)
  const refused = found.filter((call) => refusedBy(call) === gate)
  const name = gateWords(gate)
  if (refused.length > 0)
    return passed(`${name} refused ${toolWords(tool)} ${timesWords(refused.length)}.`)
  const atStart = start?.rejected.find((each) => each.name === tool)
  if (atStart?.gate === gate) return passed(`${name} refused ${toolWords(tool)} at the start.`)
  const other = atStart ? ` ${gateWords(atStart.gate)} refused it at the start.` : ''
  const happened =
    found.length === 0
      ? notCalledWords(tool, calls)
      : `${calledWords(tool, calls)}: ${endingsWords(found)}.`
  return failed(`${name} did not refuse ${toolWords(tool)}.${other} ${happened}`)
}

function callsOf(tool: string, calls: readonly EndedCall[]): EndedCall[] {
  return calls.filter(({ name }) => name === tool)
}

/** Returns such as "fetch_logs was called twice", without a dot. */
function calledWords(tool: string, calls: readonly EndedCall[]): string {
  const { length } = callsOf(tool, calls)
  return `${toolWords(tool)} was ${length === 0 ? 'not called' : `called ${timesWords(length)}`}`
}

function notCalledWords(tool: string, calls: readonly EndedCall[]): string {
  return `${toolWords(tool)} was not called. ${totalWords(calls)}`
}

const mostShown = 5

/** Returns such as "The run called search_runs twice and list_users once." */
function totalWords(calls: readonly EndedCall[]): string {
  const counts = new Map<string, number>()
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1)
  if (counts.size === 0) return 'The run called no tool.'
  const shown = [...counts].slice(0, mostShown)
  const words = shown.map(([name, count]) => `${toolWords(name)} ${timesWords(count)}`)
  return `The run called ${joined(words, counts.size - shown.length)}.`
}

function sequenceWords(calls: readonly EndedCall[]): string {
  if (calls.length === 0) return 'The run called no tool.'
  const shown = calls.slice(0, 20).map(({ name }) => toolWords(name))
  const more = calls.length - shown.length
  return `The run called ${shown.join(', then ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}.`
}

/** Returns such as "1 succeeded, 1 was denied (rules)". */
function endingsWords(calls: readonly EndedCall[]): string {
  const counts = new Map<string, number>()
  for (const call of calls) {
    const gate = refusedBy(call)
    const by = gate ? ` (${gateTitle({ gate })})` : ''
    const words = `${endingWords[call.ending]}${by}`
    counts.set(words, (counts.get(words) ?? 0) + 1)
  }
  const counted = ([words, count]: [string, number]) =>
    `${formatCount(count)} ${count === 1 ? words : words.replace(/^was /, 'were ')}`
  return [...counts].map(counted).join(', ')
}

/** Returns "a, b and c", or "a, b and 3 more". */
function joined(words: readonly string[], more: number): string {
  const all = more > 0 ? [...words, `${formatCount(more)} more`] : words
  const last = all.at(-1) ?? ''
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`
}
