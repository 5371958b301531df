'use server'
import { decideApproval } from '@toolgate/server/runs/approvals/decide-approval'
import { findApproval } from '@toolgate/server/runs/approvals/list-approvals'
import { answerConsent, withdrawConsent } from '@toolgate/server/toolset/schedules/consent-verbs'
import { action } from '@/lib/next/action'

export const answerCall = action(decideApproval)
export const readApproval = action(findApproval)
export const answerSchedule = action(answerConsent)
export const withdrawFromSchedule = action(withdrawConsent)
