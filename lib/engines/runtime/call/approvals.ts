import { createHash } from 'node:crypto'
import { type GivenDecision, JournalLostError, reportIncident } from '@/lib/engines/runtime/deps'
import { decideTool, stillApproved } from '@/lib/engines/runtime/policy/decide-tool'
import {
  type CallRule,
  fourEyesRuleOf,
  matchingRules,
  mayMatch,
  type RuleQuestion,
  refusalOf,
} from '@/lib/engines/runtime/policy/rules'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { type RunStep, warn } from '@/lib/engines/runtime/run-step'
import type { ApprovalDecision } from '@/lib/protocol/approval'
import type { CallView, RoundView } from '@/lib/protocol/run/round-view'
import { isUndecided } from '@/lib/protocol/run/round-view'
import type { Actor, Denial, ExecutableTool, Verdict } from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { canonicalJson } from '@/lib/words/json-text'
import { callCarriesCanary } from './canary'
import { parseArguments } from './execute-tool'
import { previewOf } from './look'

/**
 * Checks all calls of a round before any of them starts, and requests approval where a rule requires it. Returns true
 * when one waits. Calls that would be refused anyway do not wait.
 */
export async function requestApprovals(
  step: RunStep,
  round: RoundView,
  calls: readonly CallView[],
): Promise<boolean> {
  if (calls.some(isUndecided)) return true
  const subject = await readSubject(step)
  if (!subject) return false
  const { actor, approvalLifetimeMs: lifetimeMs } = subject
  let waits = false
  for (const call of calls) {
    const stop = whatStops(step, { round, call, subject })
    if (!stop || !actor) continue
    if (await requestApproval(step, call, { ...stop, lifetimeMs, actor })) waits = true
  }
  return waits
}

/** The rule that requires approval, and the one because of which whoever started the run may not decide; null = none. */
type Stop = { rule: CallRule; fourEyesRule: string | null }

/** Time that the call waits before it counts as denied (SPEC G-A), and the person it is for. */
export type Wait = Stop & { lifetimeMs: number; actor: Actor }

/**
 * Records the request for approval of a call with what its tool sees before it (SPEC G-W), after the message that asks for it:
 * the approval copies its arguments. A step that was stopped meanwhile records nothing. Returns false for an act that its tool
 * refuses, which nobody is asked about: it ends when its turn comes.
 */
export async function requestApproval(
  step: RunStep,
  call: CallView,
  { rule, fourEyesRule, lifetimeMs, actor }: Wait,
): Promise<boolean> {
  const { round, callId, name, argumentsText } = call
  const tool = step.deps.tools.get(name)
  const preview = tool ? await previewOf(step, { tool, call, actor }) : null
  if (preview && step.signal.aborted) return true
  if (preview?.isAct && preview.before.type === 'unread') return false
  await step.deps.journal.flush()
  step.record({
    type: 'approval-request',
    data: {
      round,
      callId,
      approvalId: step.deps.newId(),
      name,
      argumentsHash: argumentsHash(argumentsText),
      ruleId: rule.id,
      ruleName: rule.name,
      ...(rule.action === 'ask-once' && { once: true as const }),
      ...(fourEyesRule !== null && { fourEyesRule }),
      expiresAt: step.deps.now() + lifetimeMs,
      ...(preview && { preview }),
    },
  })
  return true
}

/**
 * Returns null when the state cannot be read: no approval is requested then, and the decision before each call denies
 * it.
 */
async function readSubject(step: RunStep): Promise<Subject | null> {
  try {
    return await step.deps.loadSubject()
  } catch (error) {
    reportIncident(step.deps, error)
    return null
  }
}

type Question = { round: RoundView; call: CallView; subject: Subject }

function whatStops(step: RunStep, { round, call, subject }: Question): Stop | null {
  const tool = step.deps.tools.get(call.name)
  if (!tool || !mayMatch(tool, subject) || !round.offered.includes(call.name)) return null
  if (callCarriesCanary(step, call) || !decideTool(tool, subject).allowed) return null
  if (wasRefused(call) || hasApproval(call)) return null
  const { rule, fourEyesRule } = rulingOn(step, { tool, call, subject })
  if (!rule || rule.action === 'deny') return null
  // The answer about one call may cover the others, so those wait for it.
  const isAsked = (other: CallView) => isUndecided(other) && isCoveredBy(other, call, rule)
  return callsOf(step).some(isAsked) ? null : { rule, fourEyesRule }
}

/**
 * Decision of the rules about a call: the rule that stops it (null: none), the rule that excludes the starter of the
 * run from deciding (null: none), and the rules that only observe.
 */
export type Ruling = Pick<Stop, 'fourEyesRule'> & { rule: CallRule | null; observed: CallRule[] }

/**
 * Returns what the rules say about a call with the arguments that it would start with (SPEC G-D). A rule that asks once
 * does not stop a call after a person approved another one of the same tool because of it, while that approval is valid
 * and the rule, as it is now, matches that call.
 */
export function rulingOn(
  step: RunStep,
  { tool, call, subject }: { tool: ExecutableTool; call: CallView; subject: Subject },
): Ruling {
  const matching = rulesForCall(tool, asApproved(call), subject)
  const isRemembered = (rule: CallRule) =>
    callsOf(step).some(
      (other) =>
        isCoveredBy(other, call, rule) &&
        other.approval?.decision?.type === 'approved' &&
        hasApproval(other) &&
        approvalHolds(tool, other, subject).allowed &&
        rulesForCall(tool, other, subject).includes(rule),
    )
  const rule = matching.find((each) => each.action !== 'observe' && !isRemembered(each))
  const observing = matching.filter(({ action }) => action === 'observe')
  return { rule: rule ?? null, fourEyesRule: fourEyesRuleOf(matching), observed: observing }
}

/** Returns whether the approval of a call is still valid, as who gave it, the rules and what was asked for say. */
export function approvalHolds(tool: ExecutableTool, call: CallView, subject: Subject): Verdict {
  const { argumentsText, approval } = call
  const texts = [argumentsText, asApproved(call).argumentsText]
  const fourEyesRule = approval?.fourEyesRule ?? fourEyesRuleFor(tool, texts, subject)
  return stillApproved(tool, call, subject, fourEyesRule)
}

/**
 * Returns what the rule is called because of which whoever started the run may not decide about a call now; null = none asks
 * for that. `texts`: its arguments as the model wrote them and as a person edited them, each of which counts.
 */
export function fourEyesRuleFor(
  tool: Arguable,
  texts: readonly string[],
  question: RuleQuestion,
): string | null {
  const rules = texts.flatMap((argumentsText) => rulesForCall(tool, { argumentsText }, question))
  return fourEyesRuleOf(rules)
}

function callsOf(step: RunStep): CallView[] {
  return step.state().rounds.flatMap(({ calls }) => calls)
}

/** Returns whether an approval of the first call would cover the second, because the rule asks once and said so. */
function isCoveredBy(
  { name, approval }: CallView,
  call: CallView,
  { id, action }: CallRule,
): boolean {
  return (
    action === 'ask-once' && name === call.name && approval?.once === true && approval.ruleId === id
  )
}

/** Notes which rules match that only observe, once a round for each tool and rule. */
export function noteObserved(step: RunStep, call: CallView, rules: readonly CallRule[]): void {
  for (const { name } of rules) {
    const message = `The rule "${name}", which only observes, matches a call of ${call.name}.`
    const now = step.state().rounds.find((candidate) => candidate.round === call.round)
    if (now?.notes.some((note) => note.type === 'warning' && note.data.message === message))
      continue
    warn(step, { round: call.round, code: 'rule-observed', message })
  }
}

/** Returns the call with the arguments that a person edited. */
export function asApproved(call: CallView): CallView {
  const decision = call.approval?.decision
  return decision?.type === 'edited' ? { ...call, argumentsText: decision.argumentsText } : call
}

function wasRefused({ approval }: CallView): boolean {
  const type = approval?.decision?.type
  return type === 'denied' || type === 'expired'
}

/** Records new decisions on calls that wait for approval (SPEC G-A). */
export async function collectDecisions(step: RunStep, round: number): Promise<void> {
  const calls = step.state().rounds.find((candidate) => candidate.round === round)?.calls ?? []
  const waiting = calls.filter(isUndecided)
  const given = new Map(
    (await readDecisions(step, waiting)).map(({ approvalId, decision }) => [approvalId, decision]),
  )
  for (const { approval, callId } of waiting) {
    const decision = approval && given.get(approval.approvalId)
    if (!decision) continue
    step.record({
      type: 'approval-decision',
      data: { round, callId, decision: cleaned(decision) },
    })
  }
}

/** Reads the decisions. When they cannot be read, the run keeps waiting. */
async function readDecisions(
  step: RunStep,
  waiting: CallView[],
): Promise<readonly GivenDecision[]> {
  try {
    return await step.deps.readDecisions(waiting, step.signal)
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    reportIncident(step.deps, error)
    return []
  }
}

function cleaned(decision: ApprovalDecision): ApprovalDecision {
  if (decision.type === 'expired') return decision
  return { ...decision, message: cleanText(decision.message) }
}

type Arguable = Pick<ExecutableTool, 'name' | 'group' | 'server' | 'effect' | 'parse'>

/**
 * Returns the rules that match a call, the most restrictive first. They are compared with the arguments the model wrote
 * and with those the tool would receive, including defaults. Arguments that the tool refuses match none: the call ends
 * with that refusal.
 */
export function rulesForCall(
  tool: Arguable,
  { argumentsText }: Pick<CallView, 'argumentsText'>,
  question: RuleQuestion,
): CallRule[] {
  if (!mayMatch(tool, question)) return []
  const forms = formsOf(tool, argumentsText)
  return forms === 'refused' ? [] : matchingRules(tool, forms, question)
}

/** Returns the refusal of a call by a rule that matches it, with the arguments that it would start with. */
export function refusedByRule(
  tool: Arguable,
  { argumentsText }: Pick<CallView, 'argumentsText'>,
  rule: CallRule,
): Denial {
  const forms = formsOf(tool, argumentsText)
  return refusalOf(rule, forms === 'refused' ? null : forms)
}

/** Returns arguments as the model wrote them and as the tool would receive them; null = the tool's parser throws. */
function formsOf(tool: Arguable, argumentsText: string): readonly unknown[] | null | 'refused' {
  const args = acceptedArguments(tool, argumentsText)
  if (args === 'refused') return 'refused'
  return args === 'unreadable' ? null : [args.written, args.parsed]
}

function acceptedArguments(
  tool: Arguable,
  text: string,
): { written: unknown; parsed: unknown } | 'refused' | 'unreadable' {
  try {
    const parsed = parseArguments(tool, text)
    return parsed.ok ? { written: JSON.parse(text), parsed: parsed.args } : 'refused'
  } catch {
    return 'unreadable'
  }
}

/** Returns true when a person approved this call with these arguments (SPEC G-A). */
export function hasApproval({ approval, argumentsText }: CallView): boolean {
  const type = approval?.decision?.type
  if (!approval || (type !== 'approved' && type !== 'edited')) return false
  return approval.argumentsHash === argumentsHash(argumentsText)
}

/** Returns the SHA-256 of the canonical arguments, hexadecimal: an approval is bound to it (SPEC G-A). */
function argumentsHash(argumentsText: string): string {
  return createHash('sha256').update(canonicalJson(argumentsText)).digest('hex')
}
