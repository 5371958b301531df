import { type ApprovalRule, type ArgumentCondition, RuleAction } from '@/lib/protocol/approval'
import {
  canonicalJson,
  nestedTooDeeply,
  type PathStep,
  parseJsonPath,
} from '@/lib/protocol/json-text'
import type { CallView } from '@/lib/protocol/round-view'
import type { Actor, ToolMeta, Verdict } from '@/lib/protocol/tool'
import {
  configuration,
  enabled,
  frozen,
  group,
  notRegistered,
  pinned,
  registered,
  role,
  rule,
  ruleConcerns,
  selection,
  skills,
  zone,
} from './gates'
import type { Gate, Subject } from './subject'

const allowed: Verdict = { allowed: true }

/**
 * Returns whether this run may use this tool now. The first gate that denies gives the reason (SPEC section 4). Called
 * for the offer, again right before each call, and by the console to explain. `tool` is what the Map of tools has under
 * the requested name.
 */
export function decideTool(tool: ToolMeta | undefined, subject: Subject): Verdict {
  if (!tool) return notRegistered
  for (const gate of gates) {
    const reason = gate.denies(tool, subject)
    if (reason === null) continue
    const part = gate.part?.(tool, subject)
    return { allowed: false, gate: gate.name, reason, ...(part && { part }) }
  }
  return allowed
}

/** Returns why a run that is on this model of its chain may not go on, as a sentence; null = it may (SPEC G-R). */
export function revocation({ revoked }: Pick<Subject, 'revoked'>, target: number): string | null {
  return revoked.run ?? revoked.targets[target] ?? null
}

/** In the order of SPEC section 4. Each can only deny, so none can allow what another denied (SPEC G-X). */
export const gates: readonly Gate[] = [
  registered,
  frozen,
  group,
  enabled,
  role,
  configuration,
  zone,
  skills,
  selection,
  pinned,
  rule,
]

/** The input besides the call: the run's configuration and the rules of the site. */
export type RuleQuestion = {
  configuration: Pick<NonNullable<Subject['configuration']>, 'id'> | null
  approvalRules: readonly ApprovalRule[]
}

/**
 * Returns the rules that match a call, the most restrictive first (SPEC G-A, G-D). `args`: its arguments in each form
 * that a rule may be about; null = nobody can read them, so that every condition counts as fulfilled. Called after all
 * gates allowed. Pure; a rule whose conditions cannot be read, or would take too long, counts as matching.
 */
export function matchingRules(
  tool: Pick<ToolMeta, 'name' | 'group'>,
  args: readonly unknown[] | null,
  { configuration, approvalRules }: RuleQuestion,
): ApprovalRule[] {
  return approvalRules
    .filter(
      (rule) =>
        ruleConcerns(rule, tool, configuration?.id) &&
        (args === null || args.some((form) => allHold(rule, form))),
    )
    .sort((a, b) => strictness(a) - strictness(b))
}

const strictness = ({ action }: ApprovalRule): number => RuleAction.options.indexOf(action)

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
 * Returns what is known before a call about whether rules will ask a person about it or refuse it (SPEC G-A, G-D); null
 * when none is about this tool. A rule that asks about all calls leaves nothing to say about others that ask.
 */
export function approvalNote(
  tool: Pick<ToolMeta, 'name' | 'group'>,
  { configuration, approvalRules }: RuleQuestion,
): ApprovalNote | null {
  const about = approvalRules.filter((rule) => ruleConcerns(rule, tool, configuration?.id))
  const refusing = about.filter(({ action }) => action === 'deny')
  const asking = about.filter(({ action }) => action === 'ask' || action === 'ask-once')
  const aboutAll = asking.filter(({ conditions }) => conditions.length === 0)
  const always = aboutAll.filter(({ action }) => action === 'ask')
  const byArguments = asking.filter(({ conditions }) => conditions.length > 0)
  const note = (rules: readonly ApprovalRule[], words: string) =>
    rules.length > 0 ? [`${words} ${theRules(rules)}.`] : []
  const asks =
    always.length > 0
      ? note(always.slice(0, 1), 'Each call waits for approval because of')
      : [
          ...note(aboutAll, 'Until one call of a run is approved, each waits because of'),
          ...note(byArguments, 'A call waits for approval if its arguments match'),
        ]
  const sentences = [...note(refusing, 'A call is refused if its arguments match'), ...asks]
  if (sentences.length === 0) return null
  return { always: always.length > 0, words: sentences.join(' ') }
}

function theRules([first, ...others]: readonly ApprovalRule[]): string {
  return `the rule "${first?.name}"${others.length > 0 ? `, or ${others.length} more` : ''}`
}

/**
 * Returns whether an approval is still valid. It depends on the rights of the approver now: if they were disabled,
 * demoted or excluded by four eyes since, nothing runs (SPEC G-A, G-X).
 */
export function stillApproved(
  tool: ToolMeta,
  { approval }: Pick<CallView, 'approval'>,
  subject: Subject,
): Verdict {
  const decision = approval?.decision
  if (decision?.type !== 'approved' && decision?.type !== 'edited') return no('Nobody approved it.')
  const approver = subject.approvers.get(decision.userId ?? '')
  if (!approver)
    return no(`The account of ${decision.by}, who approved it, is disabled or unknown.`)
  const mayNot = reasonAgainst(tool, approver, subject)
  return mayNot === null
    ? { allowed: true }
    : no(`${decision.by} approved it, but may no longer do so: ${mayNot}`)
}

function reasonAgainst(tool: ToolMeta, approver: Actor, subject: Subject): string | null {
  const isOwn = approver.userId === subject.actor?.userId
  if (isOwn && subject.fourEyes)
    return 'the person who starts a run may no longer approve its calls.'
  if (!isOwn && approver.role !== 'admin')
    return 'only admins may approve calls in other people’s runs.'
  const verdict = decideTool(tool, { ...subject, actor: approver })
  return verdict.allowed ? null : verdict.reason
}

function no(reason: string): Verdict {
  return {
    allowed: false,
    gate: 'approval',
    reason: `${reason} Start the run again to ask somebody else.`,
  }
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

/** The most values that a rule looks at, because a model can make arguments of any size. */
const maxVisits = 20_000

/** Thrown when a path leads to more values than that. */
class TooManyValuesError extends Error {}

/**
 * Returns the values at a path in JSON-like arguments. Own properties only, so that neither `constructor` nor the
 * length of an array is found. Throws TooManyValuesError for paths to too many places.
 */
function valuesAt(root: unknown, steps: readonly PathStep[]): unknown[] {
  let found: unknown[] = [root]
  let visits = 0
  for (const step of steps) {
    const next: unknown[] = []
    for (const value of found) {
      for (const inner of innerValues(value, step)) {
        if (++visits > maxVisits) throw new TooManyValuesError()
        next.push(inner)
      }
    }
    found = next
  }
  return found
}

function innerValues(value: unknown, step: PathStep): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  switch (step.type) {
    case 'name':
      return Array.isArray(value) || !Object.hasOwn(value, step.name)
        ? []
        : [(value as Record<string, unknown>)[step.name]]
    case 'index':
      return Array.isArray(value) && step.index < value.length ? [value[step.index]] : []
    case 'all':
      return Object.values(value)
    default:
      return step satisfies never
  }
}
