import type { ApprovalRule } from '@/lib/protocol/approval-rule'
import type { CallView } from '@/lib/protocol/round-view'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { argumentsHash } from './arguments-hash'
import { parseArguments } from './parse-arguments'
import { type ApprovalQuestion, needsApproval } from './policy/needs-approval'

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

/** When the parser of a tool throws, its arguments are unknown, so every condition counts as fulfilled. */
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
