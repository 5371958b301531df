'use client'
import { type ReactNode, useMemo } from 'react'
import { usePendingApprovals } from '@/components/shell/pending-approvals'
import { type ApprovalDesk, ApprovalDeskProvider } from '@/components/trace/approval-desk'
import { readApproval } from './actions'
import { sendAnswer } from './send-answer'

/** Lets whoever reads a trace on a page of the console decide the calls that wait in it. */
export function PageDesk({ children }: { children: ReactNode }) {
  const { check } = usePendingApprovals()
  const desk = useMemo<ApprovalDesk>(
    () => ({
      readRight: (approvalId) => {
        // A call that begins to wait is one more in the navigation.
        void check()
        return readRight(approvalId)
      },
      decide: async (target, answer) => {
        const reply = await sendAnswer(target, answer)
        if (reply.type !== 'refused') void check()
        return reply
      },
    }),
    [check],
  )
  return <ApprovalDeskProvider value={desk}>{children}</ApprovalDeskProvider>
}

const readRight: ApprovalDesk['readRight'] = async (approvalId) => {
  const unknown = (reason: string) => ({ allowed: false, reason, mayDeny: false }) as const
  const result = await readApproval({ approvalId })
  if (!result.ok) return unknown(result.error.message)
  return result.value?.mayDecide ?? unknown('You do not have access to this request.')
}
