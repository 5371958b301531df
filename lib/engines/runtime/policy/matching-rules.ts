import { type ApprovalRule, type ArgumentCondition, RuleAction } from '@/lib/protocol/approval'
import { valuesAt } from '@/lib/protocol/json-path'
import { canonicalJson, nestedTooDeeply, parseJsonPath } from '@/lib/protocol/json-text'
import type { ToolMeta } from '@/lib/protocol/tool'
import { ruleConcerns } from './gates'
import type { Subject } from './subject'

/** The input besides the call: the run's configuration, the rules of the site, and what was said about each tool. */
export type RuleQuestion = {
  configuration: Pick<NonNullable<Subject['configuration']>, 'id'> | null
  approvalRules: readonly ApprovalRule[]
  toolApprovals: Subject['toolApprovals']
}

/** What stops or notes a call: a rule, or with no id that the calls of its tool wait. */
export type CallRule = Omit<ApprovalRule, 'id'> & { id: string | null }

type AskedTool = Pick<ToolMeta, 'name' | 'group' | 'effect'>

/** Returns whether every call of this tool waits, whatever the rules say: as an admin said, or because it writes (SPEC G-W). */
function asksForApproval(
  tool: Pick<AskedTool, 'name' | 'effect'>,
  { toolApprovals }: Pick<RuleQuestion, 'toolApprovals'>,
): boolean {
  return toolApprovals.get(tool.name) ?? asksByItself(tool)
}

/** Returns whether calls of this tool wait while no admin said otherwise. */
export function asksByItself({ effect }: Pick<ToolMeta, 'effect'>): boolean {
  return effect === 'write'
}

/** Returns whether anything could stop or note a call of this tool. */
export function mayMatch(tool: AskedTool, question: RuleQuestion): boolean {
  return question.approvalRules.length > 0 || asksForApproval(tool, question)
}

/** What stops a call of a tool whose calls wait. It asks, so that no rule that asks once weakens it. */
const waitingTool: CallRule = {
  id: null,
  name: 'Calls of this tool wait for approval',
  toolName: null,
  toolGroup: null,
  configurationId: null,
  action: 'ask',
  conditions: [],
}

/**
 * Returns the rules that match a call, and that calls of its tool wait, the most restrictive first (SPEC G-A, G-D, G-W). `args`: its arguments in each form
 * that a rule may be about; null = nobody can read them, so that every condition counts as fulfilled. Called after all
 * gates allowed. Pure; a rule whose conditions cannot be read, or would take too long, counts as matching.
 */
export function matchingRules(
  tool: AskedTool,
  args: readonly unknown[] | null,
  question: RuleQuestion,
): CallRule[] {
  const { configuration, approvalRules } = question
  const matching = approvalRules.filter(
    (rule) =>
      ruleConcerns(rule, tool, configuration?.id) &&
      (args === null || args.some((form) => allHold(rule, form))),
  )
  const all = asksForApproval(tool, question) ? [...matching, waitingTool] : matching
  return all.toSorted((a, b) => strictness(a) - strictness(b))
}

const strictness = ({ action }: CallRule): number => RuleAction.options.indexOf(action)

function allHold({ conditions }: ApprovalRule, args: unknown): boolean {
  try {
    // All are evaluated, also after one that does not match, so that a broken one is not hidden by it.
    return conditions.map((condition) => conditionHolds(condition, args)).every(Boolean)
  } catch {
    return true
  }
}

/** `always` = every call waits; otherwise it depends on the arguments or the run. `words` are sentences for people. */
export type ApprovalNote = { always: boolean; words: string }

/**
 * Returns what is known before a call about whether a person will be asked about it or a rule refuse it (SPEC G-A, G-D,
 * G-W); null when nothing is about this tool. A rule that asks about all calls leaves nothing to say about others that ask.
 */
export function approvalNote(tool: AskedTool, question: RuleQuestion): ApprovalNote | null {
  const { configuration, approvalRules } = question
  const about = approvalRules.filter((rule) => ruleConcerns(rule, tool, configuration?.id))
  const refusing = about.filter(({ action }) => action === 'deny')
  const asking = about.filter(({ action }) => action === 'ask' || action === 'ask-once')
  const aboutAll = asking.filter(({ conditions }) => conditions.length === 0)
  const always = aboutAll.filter(({ action }) => action === 'ask')
  const byArguments = asking.filter(({ conditions }) => conditions.length > 0)
  const note = (rules: readonly ApprovalRule[], words: string) =>
    rules.length > 0 ? [`${words} ${theRules(rules)}.`] : []
  const waits = toolNote(tool, question)
  const asks =
    always.length > 0 || waits.length > 0
      ? [...note(always.slice(0, 1), 'Each call waits for approval because of'), ...waits]
      : [
          ...note(aboutAll, 'Until one call of a run is approved, each waits because of'),
          ...note(byArguments, 'A call waits for approval if its arguments match'),
        ]
  const sentences = [...note(refusing, 'A call is refused if its arguments match'), ...asks]
  if (sentences.length === 0) return null
  return { always: always.length > 0 || waits.length > 0, words: sentences.join(' ') }
}

function toolNote(tool: AskedTool, question: RuleQuestion): string[] {
  if (!asksForApproval(tool, question)) return []
  const why = tool.effect === 'write' ? 'because it writes' : 'because an admin wants that'
  return [`Calls of this tool wait for approval ${why}. An admin can change that for the tool.`]
}

function theRules([first, ...others]: readonly ApprovalRule[]): string {
  return `the rule "${first?.name}"${others.length > 0 ? `, or ${others.length} more` : ''}`
}

/**
 * Returns whether a condition matches a call's arguments: any value at its path does, or, for `missing` and the two
 * that begin with `not-`, there is none. Throws for a condition that cannot be read.
 */
export function conditionHolds(condition: ArgumentCondition, args: unknown): boolean {
  const path = parseJsonPath(condition.path)
  if (!path.ok) throw new Error(path.message)
  const found = valuesAt(args, path.steps)
  const { value } = condition
  switch (condition.operator) {
    case 'exists':
      return found.length > 0
    case 'missing':
      return found.length === 0
    case 'equals':
      return found.some((inner) => isEqual(inner, value))
    case 'not-equals':
      return found.length === 0 || found.some((inner) => !isEqual(inner, value))
    case 'contains':
      return found.some((inner) => contains(inner, value))
    case 'not-contains':
      return found.length === 0 || found.some((inner) => !contains(inner, value))
    case 'starts-with':
      return found.some((inner) => typeof inner === 'string' && inner.startsWith(value))
    case 'ends-with':
      return found.some((inner) => typeof inner === 'string' && inner.endsWith(value))
    case 'greater-than':
      return compare(found, value, (inner, limit) => inner > limit)
    case 'less-than':
      return compare(found, value, (inner, limit) => inner < limit)
    default:
      return condition.operator satisfies never
  }
}

/**
 * Returns whether two values are equal: texts by their characters, numbers as numbers, everything else by its JSON. Throws
 * for a value that is nested too deeply, which only some versions of Node can write as JSON.
 */
function isEqual(inner: unknown, value: string): boolean {
  if (typeof inner === 'string') return inner === value
  if (typeof inner === 'number') return inner === toNumber(value)
  const json = JSON.stringify(inner) ?? ''
  if (nestedTooDeeply(json)) throw new RangeError('A value is nested too deeply to be compared.')
  return canonicalJson(json) === canonicalJson(value)
}

function contains(inner: unknown, value: string): boolean {
  if (typeof inner === 'string') return inner.includes(value)
  return Array.isArray(inner) && inner.some((item) => isEqual(item, value))
}

function compare(
  found: unknown[],
  value: string,
  fits: (inner: number, limit: number) => boolean,
): boolean {
  const limit = toNumber(value)
  if (limit === null) throw new Error('The value is not a number.')
  return found.some((inner) => {
    const number = typeof inner === 'string' ? toNumber(inner) : inner
    return typeof number === 'number' && fits(number, limit)
  })
}

function toNumber(text: string): number | null {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}
