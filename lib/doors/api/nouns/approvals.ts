import { approvalRules } from '@/lib/domains/approvals/shape'
import { serve } from '@/lib/doors/api/endpoint'
import { resourceEndpoints } from '@/lib/doors/api/resource-endpoints'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import { decideApproval } from '@/lib/runs/approvals/decide-approval'
import { listApprovals } from '@/lib/runs/approvals/list-approvals'

export const approvalEndpoints = [
  serve('GET', '/approvals', listApprovals),
  serve('POST', '/approvals/{approvalId}', decideApproval),
]

export const approvalRuleEndpoints = resourceEndpoints(approvalRules, approvalRuleVerbs)
