import type { ApprovalRule } from '@/lib/protocol/approval-rule'
import { isUndecided } from '@/lib/protocol/fold-run'
import type { CallView, RoundView } from '@/lib/protocol/round-view'
import { argumentsHash } from './arguments-hash'
import { callCarriesCanary } from './canary-redaction'
import { JournalLostError, reportIncident } from './deps'
import { decideTool } from './policy/decide-tool'
import type { Subject } from './policy/subject'
import { hasApproval, ruleForCall } from './rule-for-call'
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
    requestApproval(step, call, { rule, lifetimeMs: subject.approvalLifetimeMs })
    waits = true
  }
  return waits
}

/** The rule that requires approval, and how long the call waits; after that it counts as denied (SPEC G-A). */
export type Wait = { rule: ApprovalRule; lifetimeMs: number }

/** Records the request for approval of a call. */
export function requestApproval(
  step: RunStep,
  { round, callId, name, argumentsText }: CallView,
  { rule, lifetimeMs }: Wait,
): void {
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
    if (error instanceof JournalLostError) throw error
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
