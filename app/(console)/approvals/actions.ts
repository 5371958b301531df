'use server'
import { action } from '@/lib/kernel/action'
import { decideApproval } from '@/lib/runs/decide-approval'
import { findApproval } from '@/lib/runs/list-approvals'

export const answerCall = action(decideApproval)
export const readApproval = action(findApproval)
