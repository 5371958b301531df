import type { ApprovalRule } from '@/lib/protocol/approval-rule'
import type { CallView } from '@/lib/protocol/round-view'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { argumentsHash } from './arguments-hash'
import { parseArguments } from './parse-arguments'
import { type ApprovalQuestion, needsApproval } from './policy/needs-approval'

type Arguable = Pick<ExecutableTool, 'name' | 'group' | 'parse'>

/**
 * The rule that wants a person's word for these arguments, or null. It is held against what the model wrote and against
 * what the tool would get, defaults and all. Arguments the tool refuses never wait: they end as that.
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

/** What a tool would get of arguments that it breaks on is unknown, so every condition counts as fitting. */
function withoutConditions(question: ApprovalQuestion): ApprovalQuestion {
  const approvalRules = question.approvalRules.map((rule) => ({ ...rule, conditions: [] }))
  return { ...question, approvalRules }
}

/** True when a person let this very call run with these very arguments (SPEC G-A). */
export function hasApproval({ approval, argumentsText }: CallView): boolean {
  const type = approval?.decision?.type
  if (!approval || (type !== 'approved' && type !== 'edited')) return false
  return approval.argumentsHash === argumentsHash(argumentsText)
}
