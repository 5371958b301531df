import type { ApprovalRow } from '@toolgate/server/runs/approvals/list-approvals'
import type {
  ApprovalAnswer,
  ApprovalReply,
  ApprovalTarget,
} from '@/components/trace/approval-actions'
import { answerCall, readApproval } from './actions'

/** Sends a decision about a call and returns the result. When it came too late, the result says who decided first. */
export async function sendAnswer(
  target: ApprovalTarget,
  answer: ApprovalAnswer,
): Promise<ApprovalReply> {
  try {
    const result = await answerCall({ ...target, decision: answer })
    if (result.ok) return { type: 'decided' }
    const { code, message, fields = {} } = result.error
    const faster =
      code === 'conflict' ? await readEarlierDecision(target.approvalId, message) : null
    if (faster !== null) return { type: 'stale', message: faster }
    return { type: 'refused', message, fields }
  } catch {
    const message = 'The server did not answer. Try again.'
    return { type: 'refused', message, fields: {} }
  }
}

/** Returns who decided first; null = the call still waits and the conflict had another cause. */
async function readEarlierDecision(approvalId: string, message: string): Promise<string | null> {
  const now = await readApproval({ approvalId })
  return now.ok && now.value ? staleWords(now.value) : message
}

/** Returns a sentence about who or what decided the call before this answer; null = the call still waits. */
function staleWords({
  status,
  decidedByLabel,
}: Pick<ApprovalRow, 'status' | 'decidedByLabel'>): string | null {
  const by = decidedByLabel ?? 'Somebody'
  switch (status) {
    case 'pending':
      return null
    case 'approved':
      return `${by} approved it first.`
    case 'edited':
      return `${by} edited and approved it first.`
    case 'denied':
      return `${by} denied it first.`
    case 'expired':
      return 'The approval expired first.'
    case 'void':
      return 'The run ended first.'
    default:
      return status satisfies never
  }
}
