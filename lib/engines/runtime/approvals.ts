import { createHash } from 'node:crypto'
import type { ApprovalDecision, ApprovalRule } from '@/lib/protocol/approval'
import { cleanText } from '@/lib/protocol/clean-text'
import { isUndecided } from '@/lib/protocol/fold-run'
import type { CallView, RoundView } from '@/lib/protocol/round-view'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { canonicalJson } from '../../protocol/json-text'
import { callCarriesCanary } from './canary'
import { type GivenDecision, JournalLostError, reportIncident } from './deps'
import { parseArguments } from './execute-tool'
import { type ApprovalQuestion, decideTool, needsApproval } from './policy/decide-tool'
import type { Subject } from './policy/subject'
import type { RunStep } from './run-step'

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
  if (!subject || subject.approvalRules.length === 0) return false
  let waits = false
  for (const call of calls) {
    const rule = ruleThatStops(step, { round, call, subject })
    if (!rule) continue
    await requestApproval(step, call, { rule, lifetimeMs: subject.approvalLifetimeMs })
    waits = true
  }
  return waits
}

/** The rule that requires approval, and how long the call waits; after that it counts as denied (SPEC G-A). */
export type Wait = { rule: ApprovalRule; lifetimeMs: number }

/** Records the request for approval of a call, after the message that asks for it: the approval copies its arguments. */
export async function requestApproval(
  step: RunStep,
  { round, callId, name, argumentsText }: CallView,
  { rule, lifetimeMs }: Wait,
): Promise<void> {
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
      expiresAt: step.deps.now() + lifetimeMs,
    },
  })
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

function ruleThatStops(step: RunStep, { round, call, subject }: Question): ApprovalRule | null {
  const tool = step.deps.tools.get(call.name)
  if (!tool || !round.offered.includes(call.name)) return null
  if (callCarriesCanary(step, call) || !decideTool(tool, subject).allowed) return null
  if (wasRefused(call) || hasApproval(call)) return null
  return ruleForCall(tool, call, subject)
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

type Arguable = Pick<ExecutableTool, 'name' | 'group' | 'parse'>

/**
 * Returns the rule that requires approval for these arguments, or null. The rule is compared with the arguments the
 * model wrote and with those the tool would receive, including defaults. Arguments that the tool refuses never wait:
 * the call ends with that refusal.
 */
export function ruleForCall(
  tool: Arguable,
  { argumentsText }: Pick<CallView, 'argumentsText'>,
  question: ApprovalQuestion,
): ApprovalRule | null {
  if (question.approvalRules.length === 0) return null
  const args = acceptedArguments(tool, argumentsText)
  if (args === 'refused') return null
  if (args === 'unreadable') return needsApproval(tool, null, withoutConditions(question))
  return needsApproval(tool, args.written, question) ?? needsApproval(tool, args.parsed, question)
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

/**
 * Returns the question with rules that have no conditions, so that every condition counts as fulfilled: when a tool's
 * parser throws, the arguments are unknown.
 */
function withoutConditions(question: ApprovalQuestion): ApprovalQuestion {
  const approvalRules = question.approvalRules.map((rule) => ({ ...rule, conditions: [] }))
  return { ...question, approvalRules }
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
