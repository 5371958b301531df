import type {
  ApprovalAnswer,
  ApprovalReply,
  ApprovalTarget,
} from '@/components/trace/approval-actions'
import { answerCall, readApproval } from './actions'
import { staleWords } from './stale-words'

/** Sends a decision about a call and returns the result. When it came too late, the result says who decided first. */
export async function sendAnswer(
  target: ApprovalTarget,
  answer: ApprovalAnswer,
): Promise<ApprovalReply> {
  try {
    const result = await answerCall({ ...target, decision: answer })
    if (result.ok) return { type: 'decided' }
    const { code, message, fields = {} } = result.error
    const faster = code === 'conflict' ? await whoWasFaster(target.approvalId, message) : null
    if (faster !== null) return { type: 'stale', message: faster }
    return { type: 'refused', message, fields }
  } catch {
    const message = 'The server did not answer. Your input is kept. Try again.'
    return { type: 'refused', message, fields: {} }
  }
}

/** Returns who decided first; null = the call still waits and the conflict had another cause. */
async function whoWasFaster(approvalId: string, message: string): Promise<string | null> {
  const now = await readApproval({ approvalId })
  return now.ok && now.value ? staleWords(now.value) : message
}
