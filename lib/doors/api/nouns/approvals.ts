import { serve } from '@/lib/doors/api/endpoint'
import { decideApproval } from '@/lib/runs/approvals/decide-approval'
import { listApprovals } from '@/lib/runs/approvals/list-approvals'

export const approvalEndpoints = [
  serve('GET', '/approvals', listApprovals),
  serve('POST', '/approvals/{approvalId}', decideApproval),
]
