import type { ApprovalRule } from '@/lib/protocol/approval-rule'
import type { CallView } from '@/lib/protocol/fold-run'
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
  if (!args) return null
  return needsApproval(tool, args.written, question) ?? needsApproval(tool, args.parsed, question)
}

function acceptedArguments(
  tool: Arguable,
  text: string,
): { written: unknown; parsed: unknown } | null {
  try {
    const parsed = parseArguments(tool, text)
    return parsed.ok ? { written: JSON.parse(text), parsed: parsed.args } : null
  } catch {
    // A tool that cannot even look at its arguments: running it says so.
    return null
  }
}

/** True when a person let this very call run with these very arguments (SPEC G-A). */
export function hasApproval({ approval, argumentsText }: CallView): boolean {
  const type = approval?.decision?.type
  if (!approval || (type !== 'approved' && type !== 'edited')) return false
  return approval.argumentsHash === argumentsHash(argumentsText)
}
