import type { ApprovalRow } from '@toolgate/server/runs/approvals/list-approvals'
import { type ApprovalResult, approvalWords } from '@/components/trace/approval-words'
import { StatePill } from '@/components/ui/state-pill'

/** Returns a decision in words. */
export function decisionWords(status: ApprovalRow['status']) {
  const result: ApprovalResult = status === 'void' ? 'none' : status
  return approvalWords(result)
}

/** Shows the decision about a call. */
export function DecidedPill({ status }: Pick<ApprovalRow, 'status'>) {
  const { pill, word } = decisionWords(status)
  return <StatePill state={pill}>{word}</StatePill>
}
