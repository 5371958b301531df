import { approvalRules } from '../../domains/approvals/shape'
import { decideApproval } from '../../runs/decide-approval'
import { listApprovals } from '../../runs/list-approvals'
import { approvalRuleVerbs } from '../../toolset/approval-rule-verbs'
import { serve } from './endpoint'
import { resourceEndpoints } from './resource-endpoints'

export const approvalEndpoints = [
  serve('GET', '/approvals', listApprovals),
  serve('POST', '/approvals/{approvalId}', decideApproval),
]

export const approvalRuleEndpoints = resourceEndpoints(approvalRules, approvalRuleVerbs)
