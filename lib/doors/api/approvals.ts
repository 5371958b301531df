import { decideApproval } from '../../runs/decide-approval'
import { listApprovals } from '../../runs/list-approvals'
import { serve } from './endpoint'

export const approvalEndpoints = [
  serve('GET', '/approvals', listApprovals),
  serve('POST', '/approvals/{approvalId}', decideApproval),
]
