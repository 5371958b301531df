import { type PartialGrant, partialGrants } from '@/lib/domains/skills/shared/skill-names'
import {
  type ApprovalRule,
  type ArgumentCondition,
  asksPeople,
  RuleAction,
} from '@/lib/protocol/approval'
import { conditionWords } from '@/lib/protocol/condition-words'
import type { Denial, ToolMeta } from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { type ConditionAnswer, readCondition } from './conditions'
import type { Person, Subject } from './subject'
import { shownReads } from './untrusted-reads'

/** Owner of the run, as rules see it. */
export type RuleParty = Pick<Subject, 'apiKeyId'> & {
  configuration:
    | (Pick<NonNullable<Subject['configuration']>, 'id' | 'afterUntrusted'> &
        Partial<
          Pick<
            NonNullable<Subject['configuration']>,
            'grantedBySkills' | 'memoryInPrompt' | 'startedFrom'
          >
        >)
    | null
  actor: Pick<Person, 'userId' | 'groups'> | null
}

/** The input besides the call: the run and what it read, the rules of the site, and what was said about each tool. */
export type RuleQuestion = RuleParty &
  Pick<Subject, 'approvalRules' | 'toolApprovals' | 'untrustedReads'>

/** Facts of a tool that rules test. */
export type RuleTool = Pick<ToolMeta, 'name' | 'group' | 'server' | 'effect'>

/**
 * A rule that stops or notes a call. Without an id: the approval setting of its tool, writes after certain reads, or,
 * with `bySkills`, arguments that no skill allows.
 */
export type CallRule = Pick<ApprovalRule, 'name' | 'action' | 'fourEyes' | 'conditions'> & {
  id: string | null
  bySkills?: true
}

/**
 * Stops a call of a tool whose calls wait for approval. It asks for each call, so that no rule that asks once weakens
 * it.
 */
const waitingTool: CallRule = {
  id: null,
  name: 'Calls of this tool wait for approval',
  action: 'ask',
  fourEyes: false,
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
  return { id: null, name, action: 'ask', fourEyes: false, conditions: [] }
}

/**
 * Returns what refuses a call whose arguments fit none of the patterns with which the skills allow its tool (SPEC G-S); null = they
 * do, or the tool is allowed without any. Each form of the arguments has to fit.
 */
function outsideSkills(
  { name }: Pick<RuleTool, 'name'>,
  args: readonly unknown[] | null,
  { configuration }: Pick<RuleQuestion, 'configuration'>,
): CallRule | null {
  const wanted = partialGrants(configuration?.grantedBySkills ?? null, name)
  if (wanted === null) return null
  const fits = (form: unknown) => wanted.some(({ only }) => holds(only, form))
  if (args?.every(fits)) return null
  return {
    id: null,
    bySkills: true,
    name: skillWords(wanted),
    action: 'deny',
    fourEyes: false,
    conditions: [],
  }
}

/** Returns whether a condition surely holds: what fits it and its opposite, such as a host that cannot be read, does not. */
function holds(condition: ArgumentCondition, form: unknown): boolean {
  try {
    const isOpposite =
      condition.operator === 'host-is' &&
      readCondition({ ...condition, operator: 'host-not' }, form).holds
    return !isOpposite && readCondition(condition, form).holds
  } catch {
    return false
  }
}

export function skillWords(wanted: readonly PartialGrant[]): string {
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(wanted.map(nameOf))
  return `The skills of this run allow only those of its calls that fit ${names}`
}

const nameOf = ({ name }: PartialGrant) => name

/** Returns whether every call of this tool waits, whatever the rules say: as an admin said, or because it writes (SPEC G-W). */
export function asksForApproval(
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
  if (partialGrants(question.configuration?.grantedBySkills ?? null, tool.name)) return true
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
    (isAbout(rule.configurationId, configuration?.id) ||
      rule.configurationId === configuration?.startedFrom) &&
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
  if (rule.bySkills) {
    const reason = cleanText(`${rule.name}.`)
    return { allowed: false, gate: 'skills', reason, told: reason }
  }
  const found = rule.conditions.length === 0 ? null : decidingConditions(rule, args ?? [])
  const all = (part: 'words' | 'value') => found?.map((each) => each[part]).join(' and ')
  const sentence =
    found &&
    cleanText(`The rule "${rule.name}" refuses it: ${all('words')}. The call has ${all('value')}.`)
  const reason = sentence ? `${sentence} An admin can change the rule.` : refusedBy(rule)
  return { allowed: false, gate: 'rule', reason, ...(sentence && { told: sentence }) }
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
  const outside = outsideSkills(tool, args, question)
  const all = [
    ...(outside ? [outside] : []),
    ...matching,
    ...(afterReads ? [afterReads] : []),
    ...(asksForApproval(tool, question) ? [waitingTool] : []),
  ]
  return all.toSorted((a, b) => strictness(a) - strictness(b))
}

const strictness = ({ action }: CallRule): number => RuleAction.options.indexOf(action)

/**
 * Returns what the rule is called because of which whoever started the run may not decide about a call that these rules
 * match (SPEC G-A); null = none asks for that.
 */
export function fourEyesRuleOf(rules: readonly CallRule[]): string | null {
  return rules.find(({ action, fourEyes }) => fourEyes && asksPeople(action))?.name ?? null
}

function allHold({ conditions }: ApprovalRule, args: unknown): boolean {
  try {
    // All are evaluated, also after one that does not match, so that a broken one is not hidden by it.
    return conditions.map((each) => readCondition(each, args)).every(({ holds }) => holds)
  } catch {
    return true
  }
}
