'use client'

import { createContext, useContext } from 'react'
import type { ApprovalContext } from '@/lib/domains/approvals/shared/approval-context'

/** A decision about one waiting call. `message` is a remark; in a denial the model reads it instead of a result. */
export type ApprovalAnswer =
  | { type: 'approve'; message?: string }
  | { type: 'edit'; argumentsText: string; message?: string }
  | { type: 'deny'; message: string }

/** `stale`: the call no longer waits. `refused`: nothing changed; `fields` holds the errors by field. */
export type ApprovalReply =
  | { type: 'decided' }
  | { type: 'stale'; message: string }
  | { type: 'refused'; message: string; fields: Record<string, string> }

/** `reason`: a sentence that says why not. A person who may not approve may still be allowed to deny. */
export type DecisionRight = { allowed: true } | { allowed: false; reason: string; mayDeny: boolean }

/**
 * Data of the form for a waiting call; `context` null: the call no longer waits, or the reader may not see it.
 * `nobodyTold`: no channel took a message about it.
 */
type ApprovalQuestion = {
  right: DecisionRight
  context: ApprovalContext | null
  nobodyTold: boolean
}

/** The waiting call that an answer is for. The answer is valid for these arguments only. */
export type ApprovalTarget = { approvalId: string; argumentsHash: string }

/** Actions of the page around a trace for deciding about its calls. */
export type ApprovalActions = {
  /** Rejects when the server does not answer; the caller may ask again. */
  readQuestion: (approvalId: string) => Promise<ApprovalQuestion>
  decide: (target: ApprovalTarget, answer: ApprovalAnswer) => Promise<ApprovalReply>
}

const ApprovalActionsContext = createContext<ApprovalActions | null>(null)

export const ApprovalActionsProvider = ApprovalActionsContext.Provider

/** Returns the page's actions; null = calls cannot be decided on this page. */
export function useApprovalActions(): ApprovalActions | null {
  return useContext(ApprovalActionsContext)
}
