import { approvalRules } from '@/lib/domains/approvals/shape'
import { decideApproval } from '@/lib/runs/approvals/decide-approval'
import { listApprovals } from '@/lib/runs/approvals/list-approvals'
import { approvalRuleVerbs } from '@/lib/toolset/approval-rule-verbs'
import { serve } from './endpoint'
import { resourceEndpoints } from './resource-endpoints'

export const approvalEndpoints = [
  serve('GET', '/approvals', listApprovals),
  serve('POST', '/approvals/{approvalId}', decideApproval),
]

export const approvalRuleEndpoints = resourceEndpoints(approvalRules, approvalRuleVerbs)
