'use client'
import { type ReactNode, useMemo } from 'react'
import { usePendingCheck } from '@/components/shell/pending-approvals'
import { type ApprovalActions, ApprovalActionsProvider } from '@/components/trace/approval-actions'
import { readApproval } from './actions'
import { sendAnswer } from './send-answer'

/** Lets the reader of a trace decide about its waiting calls, on every page of the console. */
export function PageApprovalActions({ children }: { children: ReactNode }) {
  const check = usePendingCheck()
  const actions = useMemo<ApprovalActions>(
    () => ({
      readQuestion: (approvalId) => {
        // A new waiting call also changes the badge in the navigation.
        check()
        return readQuestion(approvalId)
      },
      decide: async (target, answer) => {
        const reply = await sendAnswer(target, answer)
        if (reply.type !== 'refused') check()
        return reply
      },
    }),
    [check],
  )
  return <ApprovalActionsProvider value={actions}>{children}</ApprovalActionsProvider>
}

const readQuestion: ApprovalActions['readQuestion'] = async (approvalId) => {
  const unknown = (reason: string) => ({
    right: { allowed: false, reason, mayDeny: false } as const,
    context: null,
    nobodyTold: false,
  })
  const result = await readApproval({ approvalId })
  if (!result.ok) return unknown(result.error.message)
  if (!result.value) return unknown('You may not see this request.')
  const { mayDecide: right, context, nobodyTold } = result.value
  return { right, context, nobodyTold }
}
