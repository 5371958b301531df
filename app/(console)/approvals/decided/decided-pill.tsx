import { type ApprovalResult, approvalWords } from '@/components/trace/approval-words'
import { StatePill } from '@/components/ui/state-pill'
import type { ApprovalRow } from '@/lib/runs/list-approvals'

/** What became of a call that waited. */
export function DecidedPill({ status }: Pick<ApprovalRow, 'status'>) {
  const result: ApprovalResult = status === 'void' ? 'none' : status
  const { pill, word } = approvalWords(result)
  return <StatePill state={pill}>{word}</StatePill>
}
