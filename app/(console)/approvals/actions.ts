'use server'
import { action } from '@/lib/next/action'
import { decideApproval } from '@/lib/runs/approvals/decide-approval'
import { findApproval } from '@/lib/runs/approvals/list-approvals'
import { answerConsent, withdrawConsent } from '@/lib/toolset/schedules/consent-verbs'

export const answerCall = action(decideApproval)
export const readApproval = action(findApproval)
export const answerSchedule = action(answerConsent)
export const withdrawFromSchedule = action(withdrawConsent)
