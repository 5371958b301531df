import type { PillState } from '@/components/ui/state-pill'
import type { ApprovalDecision } from '@/lib/protocol/approval'

/** The result of an approval; `none` = the run ended first. */
export type ApprovalResult = ApprovalDecision['type'] | 'pending' | 'none'

const words: Record<ApprovalResult, { pill: PillState; word: string }> = {
  pending: { pill: 'waiting', word: 'Waiting for approval' },
  approved: { pill: 'ok', word: 'Approved' },
  edited: { pill: 'ok', word: 'Edited and approved' },
  denied: { pill: 'denied', word: 'Denied' },
  expired: { pill: 'denied', word: 'Expired' },
  none: { pill: 'off', word: 'Run ended' },
}

export function approvalWords(result: ApprovalResult): { pill: PillState; word: string } {
  return words[result]
}

/** Reach of an approval because of a rule that asks once a run. */
export const coversWords =
  'If approved unchanged, matching calls of this tool in this run start, too.'

/** Returns why whoever started the run may not decide about a call. */
export function fourEyesWords(ruleName: string): string {
  return `By the rule "${ruleName}", whoever started the run may not decide.`
}

/** Returns one line about a decision: "Edited and approved by ana@example.org". */
export function decisionRemark(decision: ApprovalDecision): string {
  switch (decision.type) {
    case 'approved':
    case 'edited':
      return `${words[decision.type].word} by ${decision.by}`
    case 'denied':
      return `Denied by ${decision.by}${decision.message ? `: ${decision.message}` : ''}`
    case 'expired':
      return 'Denied: nobody decided in time'
    default:
      return decision satisfies never
  }
}
