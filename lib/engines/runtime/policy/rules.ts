import { type ApprovalRule, RuleAction } from '@/lib/protocol/approval'
import { cleanText } from '@/lib/protocol/clean-text'
import { conditionWords } from '@/lib/protocol/condition-words'
import { afterUntrustedWords } from '@/lib/protocol/flow'
import type { Denial, ToolMeta } from '@/lib/protocol/tool'
import { type ConditionAnswer, readCondition } from './conditions'
import type { Person, Subject } from './subject'
import { shownReads } from './untrusted-reads'

/** Whose run it is, as rules see it. */
export type RuleParty = Pick<Subject, 'apiKeyId'> & {
  configuration: Pick<NonNullable<Subject['configuration']>, 'id' | 'afterUntrusted'> | null
  actor: Pick<Person, 'userId' | 'groups'> | null
}

/** The input besides the call: the run and what it read, the rules of the site, and what was said about each tool. */
export type RuleQuestion = RuleParty &
  Pick<Subject, 'approvalRules' | 'toolApprovals' | 'untrustedReads'>

/** What of a tool rules ask about. */
export type RuleTool = Pick<ToolMeta, 'name' | 'group' | 'server' | 'effect'>

/** What stops or notes a call: a rule; with no id, that the calls of its tool wait, or those that write after certain reads. */
export type CallRule = Pick<ApprovalRule, 'name' | 'action' | 'conditions'> & { id: string | null }

/** What stops a call of a tool whose calls wait. It asks, so that no rule that asks once weakens it. */
const waitingTool: CallRule = {
  id: null,
  name: 'Calls of this tool wait for approval',
  action: 'ask',
  conditions: [],
}

/** Returns what stops a call that writes after the run read what others can write (SPEC G-U); null = nothing of that kind. */
function waitingAfterReads(
  { effect }: Pick<RuleTool, 'effect'>,
  { configuration, untrustedReads }: Pick<RuleQuestion, 'configuration' | 'untrustedReads'>,
): CallRule | null {
  if (effect === 'read' || untrustedReads.length === 0) return null
  if (configuration?.afterUntrusted !== 'ask') return null
  const name = `The run has read what others can write (with ${shownReads(untrustedReads)})`
  return { id: null, name, action: 'ask', conditions: [] }
}

/** Returns whether every call of this tool waits, whatever the rules say: as an admin said, or because it writes (SPEC G-W). */
function asksForApproval(
  tool: Pick<RuleTool, 'name' | 'effect'>,
  { toolApprovals }: Pick<RuleQuestion, 'toolApprovals'>,
): boolean {
  return toolApprovals.get(tool.name) ?? asksByItself(tool)
}

/** Returns whether calls of this tool wait while no admin said otherwise. */
export function asksByItself({ effect }: Pick<ToolMeta, 'effect'>): boolean {
  return effect !== 'read'
}

/** Returns whether anything could stop or note a call of this tool. */
export function mayMatch(tool: RuleTool, question: RuleQuestion): boolean {
  if (question.approvalRules.length > 0 || asksForApproval(tool, question)) return true
  return waitingAfterReads(tool, question) !== null
}

/** Returns whether a rule is about this tool in this run, whatever its conditions on the arguments. */
export function ruleConcerns(
  rule: ApprovalRule,
  tool: Pick<RuleTool, 'name' | 'group' | 'server'>,
  { configuration, actor, apiKeyId }: RuleParty,
): boolean {
  return (
    isAbout(rule.toolName, tool.name) &&
    isAbout(rule.toolGroup, tool.group) &&
    isAbout(rule.serverName, tool.server) &&
    isAbout(rule.configurationId, configuration?.id) &&
    isAbout(rule.userId, actor?.userId) &&
    isAbout(rule.apiKeyId, apiKeyId) &&
    (rule.groupId === null || actor?.groups.includes(rule.groupId) === true)
  )
}

function isAbout(wanted: string | null, has: string | null | undefined): boolean {
  return wanted === null || wanted === has
}

/** Returns the sentence about a tool whose calls a rule refuses, whatever their arguments. */
export function refusedBy({ name }: Pick<ApprovalRule, 'name'>): string {
  return `The rule "${name}" refuses it. An admin can change the rule.`
}

/**
 * Returns the refusal of a call by a rule that matches it: which conditions decided, and by which values of the arguments.
 * `args` as `matchingRules` has them.
 */
export function refusalOf(rule: CallRule, args: readonly unknown[] | null): Denial {
  const found = rule.conditions.length === 0 ? null : decidingConditions(rule, args ?? [])
  const all = (part: 'words' | 'value') => found?.map((each) => each[part]).join(' and ')
  const told =
    found &&
    cleanText(`The rule "${rule.name}" refuses it: ${all('words')}. The call has ${all('value')}.`)
  const reason = told ? `${told} An admin can change the rule.` : refusedBy(rule)
  return { allowed: false, gate: 'rule', reason, ...(told && { told }) }
}

/** Returns the conditions of a rule in words, each with what it found; null = they could not be read. */
function decidingConditions({ conditions }: CallRule, args: readonly unknown[]) {
  for (const form of args) {
    try {
      const answers = conditions.map((condition) => readCondition(condition, form))
      if (!answers.every(({ holds }) => holds)) continue
      return conditions.map((condition, place) => ({
        words: conditionWords(condition),
        value: `${valueWords(answers[place]?.values ?? [])} at ${condition.path}`,
      }))
    } catch {
      return null
    }
  }
  return null
}

const longestValue = 200

function valueWords(values: ConditionAnswer['values']): string {
  if (values.length === 0) return 'nothing'
  const json = JSON.stringify(values[0]) ?? 'nothing'
  return json.length > longestValue ? `${json.slice(0, longestValue)}…` : json
}

/**
 * Returns the rules that match a call, and what else makes it wait, the most restrictive first (SPEC G-A, G-D, G-U, G-W).
 * `args`: its arguments in each form that a rule may be about; null = nobody can read them, so that every condition
 * counts as fulfilled. Called after all gates allowed. Pure; a rule whose conditions cannot be read, or would take too
 * long, counts as matching.
 */
export function matchingRules(
  tool: RuleTool,
  args: readonly unknown[] | null,
  question: RuleQuestion,
): CallRule[] {
  const matching = question.approvalRules.filter(
    (rule) =>
      ruleConcerns(rule, tool, question) &&
      (args === null || args.some((form) => allHold(rule, form))),
  )
  const afterReads = waitingAfterReads(tool, question)
  const all = [
    ...matching,
    ...(afterReads ? [afterReads] : []),
    ...(asksForApproval(tool, question) ? [waitingTool] : []),
  ]
  return all.toSorted((a, b) => strictness(a) - strictness(b))
}

const strictness = ({ action }: CallRule): number => RuleAction.options.indexOf(action)

function allHold({ conditions }: ApprovalRule, args: unknown): boolean {
  try {
    // All are evaluated, also after one that does not match, so that a broken one is not hidden by it.
    return conditions.map((each) => readCondition(each, args)).every(({ holds }) => holds)
  } catch {
    return true
  }
}

/** What a sentence of a note is about: one rule or several, what was said about the tool, or the configuration. */
export type NoteCause =
  | { type: 'rule'; id: string }
  | { type: 'rules' }
  | { type: 'tool' }
  | { type: 'configuration'; id: string }

/** `always` = every call waits; otherwise it depends on the arguments or the run. `sentences` are for people. */
export type ApprovalNote = {
  always: boolean
  sentences: { words: string; cause: NoteCause }[]
}
type Sentence = ApprovalNote['sentences'][number]

/** Returns the sentences of a note as one text; "" when there is none. */
export function noteWords(note: ApprovalNote | null): string {
  return (note?.sentences ?? []).map(({ words }) => words).join(' ')
}

/**
 * Returns what is known before a call about whether a person will be asked about it or a rule refuse it (SPEC G-A, G-D,
 * G-W); null when nothing is about this tool. A rule that asks about all calls leaves nothing to say about others that ask.
 */
export function approvalNote(tool: RuleTool, question: RuleQuestion): ApprovalNote | null {
  const about = question.approvalRules.filter((rule) => ruleConcerns(rule, tool, question))
  const refusing = about.filter(({ action }) => action === 'deny')
  const asking = about.filter(({ action }) => action === 'ask' || action === 'ask-once')
  const aboutAll = asking.filter(({ conditions }) => conditions.length === 0)
  const always = aboutAll.filter(({ action }) => action === 'ask')
  const byArguments = asking.filter(({ conditions }) => conditions.length > 0)
  const waits = toolNote(tool, question)
  const asks =
    always.length > 0 || waits.length > 0
      ? [...rulesNote(always.slice(0, 1), 'Each call waits for approval because of'), ...waits]
      : [
          ...rulesNote(aboutAll, 'Until one call of a run is approved, each waits because of'),
          ...rulesNote(byArguments, 'A call waits for approval if its arguments match'),
        ]
  const sentences = [
    ...rulesNote(refusing, 'A call is refused if its arguments match'),
    ...asks,
    ...flowNote(tool, question, waits.length > 0 || always.length > 0),
  ]
  if (sentences.length === 0) return null
  return { always: always.length > 0 || waits.length > 0, sentences }
}

/** Returns what the configuration says about calls that write after the run read what others can write. */
function flowNote(
  { effect }: RuleTool,
  { configuration }: RuleQuestion,
  waits: boolean,
): Sentence[] {
  if (effect === 'read' || configuration === null) return []
  const { id, afterUntrusted: after } = configuration
  if (after === 'allow' || (after === 'ask' && waits)) return []
  const words = `After the run has read what others can write, its calls ${afterUntrustedWords[after]}.`
  return [{ words, cause: { type: 'configuration', id } }]
}

function toolNote(tool: RuleTool, question: RuleQuestion): Sentence[] {
  if (!asksForApproval(tool, question)) return []
  const why = asksByItself(tool) ? 'because it writes' : 'because an admin wants that'
  const words = `Calls of this tool wait for approval ${why}. An admin can change that for the tool.`
  return [{ words, cause: { type: 'tool' } }]
}

function rulesNote([first, ...others]: readonly ApprovalRule[], words: string): Sentence[] {
  if (!first) return []
  const more = others.length > 0 ? `, or ${others.length} more` : ''
  return [
    {
      words: `${words} the rule "${first.name}"${more}.`,
      cause: more === '' ? { type: 'rule', id: first.id } : { type: 'rules' },
    },
  ]
}
