import type { Assertion } from '@/lib/protocol/check/assertion'
import { assertionText } from '@/lib/protocol/check/check-words'
import { canBeLoose, operatorWords } from '@/lib/protocol/condition-words'
import { parseCount, parseDecimal, parseUsd, typedFigure, usdText } from '@/lib/words/format'
import { jsonOrText } from '@/lib/words/json-text'

type Type = Assertion['type']
type Of<T extends Type> = Extract<Assertion, { type: T }>

/** The types of assertions, as a form offers them. */
export const assertionTypeWords: Record<Type, string> = {
  'tool-called': 'Calls a tool',
  'tool-not-called': 'Does not call a tool',
  'tools-in-order': 'Calls tools in order',
  'calls-at-most': 'Limits the calls',
  argument: 'Calls a tool with an argument',
  'call-outcome': 'A call has an outcome',
  'approval-asked': 'A call waits for approval',
  'gate-refused': 'A gate refuses a tool',
  'answer-contains': 'The answer contains a text',
  'answer-matches': 'The answer matches a pattern',
  'answer-fits': 'The answer fits a JSON Schema',
  'answer-equals': 'The answer is a text',
  'end-reason': 'The run ends for a reason',
  'rounds-at-most': 'Limits the rounds',
  'tokens-at-most': 'Limits the tokens',
  'cost-at-most': 'Limits the cost',
  'seconds-at-most': 'Limits the time',
  judge: 'A judge passes it',
}

/**
 * An assertion as a form holds it: the fields of all types, as text where it is typed, so that another type keeps what both have.
 * `key` identifies its row while others are added and removed.
 */
export type AssertionDraft = {
  key: number
  type: Type
  tool: string
  /** One per line. */
  tools: string
  atLeast: string
  count: string
  path: string
  operator: Of<'argument'>['operator']
  value: string
  loose: boolean
  outcome: Of<'call-outcome'>['outcome']
  gate: Of<'gate-refused'>['gate']
  text: string
  pattern: string
  /** JSON. */
  schema: string
  reason: Of<'end-reason'>['reason']
  /** US dollars. */
  microUsd: string
  seconds: string
  /** Identifier of the configuration that judges; "" = none is picked. */
  configuration: string
  rubric: string
}
export type AssertionField = Exclude<keyof AssertionDraft, 'key' | 'type'>

const emptyDraft: Omit<AssertionDraft, 'key'> = {
  type: 'tool-called',
  tool: '',
  tools: '',
  atLeast: '1',
  count: '',
  path: '$.',
  operator: 'equals',
  value: '',
  loose: false,
  outcome: 'ok',
  gate: 'rule',
  text: '',
  pattern: '',
  schema: '',
  reason: 'completed',
  microUsd: '',
  seconds: '',
  configuration: '',
  rubric: '',
}

/** Returns an empty row with a key that no other row has. */
export function newAssertion(
  drafts: readonly AssertionDraft[],
  type: Type = emptyDraft.type,
): AssertionDraft {
  return { ...emptyDraft, type, key: 1 + Math.max(-1, ...drafts.map(({ key }) => key)) }
}

/** Returns assertions as a form holds them. */
export function assertionDrafts(assertions: readonly Assertion[]): AssertionDraft[] {
  return assertions.map((assertion, key) => ({ ...emptyDraft, ...typedOf(assertion), key }))
}

function typedOf(assertion: Assertion): Partial<AssertionDraft> {
  switch (assertion.type) {
    case 'tool-called':
      return { ...assertion, atLeast: String(assertion.atLeast) }
    case 'tools-in-order':
      return { ...assertion, tools: assertion.tools.join('\n') }
    case 'calls-at-most':
      return { ...assertion, tool: assertion.tool ?? '', count: String(assertion.count) }
    case 'argument':
      return { ...assertion, loose: assertion.loose === true }
    case 'answer-fits':
      return { ...assertion, schema: JSON.stringify(assertion.schema, null, 2) }
    case 'rounds-at-most':
    case 'tokens-at-most':
      return { ...assertion, count: String(assertion.count) }
    case 'cost-at-most':
      return { ...assertion, microUsd: usdText(assertion.microUsd) }
    case 'seconds-at-most':
      return { ...assertion, seconds: String(assertion.seconds) }
    case 'judge': {
      const { type, configuration, rubric, passes, schema } = assertion
      const words = schema ? JSON.stringify(schema, null, 2) : ''
      return {
        ...passes,
        loose: passes?.loose === true,
        type,
        configuration,
        rubric,
        schema: words,
      }
    }
    default:
      return assertion
  }
}

/** Returns what a form sends. The server refuses what was typed wrongly, beside its field. */
export function assertionsOf(drafts: readonly AssertionDraft[]): Assertion[] {
  return drafts.map(assertionOf)
}

function assertionOf(draft: AssertionDraft): Assertion {
  const { type, text } = draft
  const tool = draft.tool.trim()
  switch (type) {
    case 'tool-called':
      return { type, tool, atLeast: figure(draft.atLeast, parseCount) }
    case 'tool-not-called':
    case 'approval-asked':
      return { type, tool }
    case 'tools-in-order':
      return { type, tools: linesOf(draft.tools) }
    case 'calls-at-most':
      return { type, tool: tool || null, count: figure(draft.count, parseCount) }
    case 'argument':
      return { type, tool, ...conditionOf(draft) }
    case 'call-outcome':
      return { type, tool, outcome: draft.outcome }
    case 'gate-refused':
      return { type, tool, gate: draft.gate }
    case 'answer-contains':
    case 'answer-equals':
      return { type, text }
    case 'answer-matches':
      return { type, pattern: draft.pattern }
    case 'answer-fits':
      return { type, schema: typedSchema(draft.schema) }
    case 'end-reason':
      return { type, reason: draft.reason }
    case 'rounds-at-most':
    case 'tokens-at-most':
      return { type, count: figure(draft.count, parseCount) }
    case 'cost-at-most':
      return { type, microUsd: figure(draft.microUsd, parseUsd) }
    case 'seconds-at-most':
      return { type, seconds: figure(draft.seconds, parseDecimal) }
    case 'judge': {
      const { configuration, rubric } = draft
      const answer = { schema: typedSchema(draft.schema), passes: conditionOf(draft) }
      return { type, configuration, rubric, ...(hasJudgeSchema(draft) && answer) }
    }
    default:
      return type satisfies never
  }
}

function conditionOf({ path, operator, value, loose }: AssertionDraft) {
  return {
    path: path.trim(),
    operator,
    value: operatorWords[operator].value ? value : '',
    ...(loose && canBeLoose(operator) && { loose: true }),
  }
}

/** Returns whether a judge answers in a form of its own, of which the draft says when it passes. */
function hasJudgeSchema({ schema }: Pick<AssertionDraft, 'schema'>): boolean {
  return schema.trim() !== ''
}

/** Returns whether a field is in the page: what compares the answer of a judge only once that has a schema. */
export function isShown(field: AssertionField, draft: AssertionDraft): boolean {
  const ofAnswer: readonly AssertionField[] = ['path', 'operator', 'value', 'loose']
  return draft.type !== 'judge' || hasJudgeSchema(draft) || !ofAnswer.includes(field)
}

/** Returns NaN for an empty field, too, which the server refuses. */
function figure(text: string, parse: (text: string) => number | null): number {
  return typedFigure(text, parse) ?? Number.NaN
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Returns typed text as a schema. What is no JSON object stays text: the server says beside the field what it takes. */
function typedSchema(text: string): Of<'answer-fits'>['schema'] {
  return jsonOrText(text) as Of<'answer-fits'>['schema']
}

/** The fields of each type. `tool` of a limit may stay empty. */
export const fieldsOfType: Record<Type, readonly AssertionField[]> = {
  'tool-called': ['tool', 'atLeast'],
  'tool-not-called': ['tool'],
  'tools-in-order': ['tools'],
  'calls-at-most': ['tool', 'count'],
  argument: ['tool', 'path', 'operator', 'value', 'loose'],
  'call-outcome': ['tool', 'outcome'],
  'approval-asked': ['tool'],
  'gate-refused': ['gate', 'tool'],
  'answer-contains': ['text'],
  'answer-matches': ['pattern'],
  'answer-fits': ['schema'],
  'answer-equals': ['text'],
  'end-reason': ['reason'],
  'rounds-at-most': ['count'],
  'tokens-at-most': ['count'],
  'cost-at-most': ['microUsd'],
  'seconds-at-most': ['seconds'],
  judge: ['configuration', 'rubric', 'schema', 'path', 'operator', 'value', 'loose'],
}

/** Returns a row as one line. */
export function draftText(draft: AssertionDraft): string {
  const assertion = assertionOf(draft)
  return isComplete(draft, assertion)
    ? assertionText(assertion)
    : `${assertionTypeWords[draft.type]} (not complete)`
}

const emptyFields: Partial<Record<Type, readonly AssertionField[]>> = {
  'calls-at-most': ['tool'],
  judge: ['schema', 'value', 'loose'],
}

function isComplete(draft: AssertionDraft, assertion: Assertion): boolean {
  const mayBeEmpty = emptyFields[draft.type] ?? ['value', 'loose']
  const empty = fieldsOfType[draft.type].filter((field) => String(draft[field]).trim() === '')
  return (
    empty.every((field) => mayBeEmpty.includes(field)) &&
    !Object.values(assertion).some((value) => Number.isNaN(value))
  )
}

/**
 * Returns the field at which an error of the server is shown: one of a list stands at the whole list, and what the answer of a judge
 * is compared with at its part.
 */
export function assertionFieldOf(path: string): string {
  const flat = path.replace(
    /^(.*assertions\.\d+)\.passes(?:\.(\w+))?$/,
    (_, row, part = 'path') => `${row}.${part}`,
  )
  return flat.replace(/^(.*assertions\.\d+\.(?:tools|schema))\..*$/, '$1')
}
