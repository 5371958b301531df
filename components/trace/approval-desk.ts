'use client'

import { createContext, useContext } from 'react'

/** What a person says about one call that waits. `message` is a remark, but of a denial it is what the model reads. */
export type ApprovalAnswer =
  | { type: 'approve'; message?: string }
  | { type: 'edit'; argumentsText: string; message?: string }
  | { type: 'deny'; message: string }

/** `stale`: somebody or something was faster. `refused`: nothing changed; `fields` belong beside a field. */
export type ApprovalReply =
  | { type: 'decided' }
  | { type: 'stale'; message: string }
  | { type: 'refused'; message: string; fields: Record<string, string> }

/** `reason` is a sentence for whoever may not; saying no may be theirs all the same. */
export type DecisionRight = { allowed: true } | { allowed: false; reason: string; mayDeny: boolean }

/** The waiting call an answer is for: it counts for these arguments only. */
export type ApprovalTarget = { approvalId: string; argumentsHash: string }

/** How the page around a trace lets its reader decide. */
export type ApprovalDesk = {
  /** Rejects when the server did not answer: it can be asked again. */
  readRight: (approvalId: string) => Promise<DecisionRight>
  decide: (target: ApprovalTarget, answer: ApprovalAnswer) => Promise<ApprovalReply>
}

const ApprovalDeskContext = createContext<ApprovalDesk | null>(null)

export const ApprovalDeskProvider = ApprovalDeskContext.Provider

/** Null = this trace is only looked at. */
export function useApprovalDesk(): ApprovalDesk | null {
  return useContext(ApprovalDeskContext)
}
