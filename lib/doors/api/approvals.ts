import { z } from 'zod'
import { ApprovalFilter, DecideApproval } from '../../domains/approvals/schemas'
import { parseId } from '../../kernel/parse-id'
import { decideApproval } from '../../runs/decide-approval'
import { listApprovals } from '../../runs/list-approvals'
import { AnyObject, endpoint, Page } from './endpoint'

const Answer = z.strictObject(DecideApproval.omit({ approvalId: true }).shape)

export const approvalEndpoints = [
  endpoint(
    'GET',
    '/approvals',
    {
      role: 'member',
      scope: 'approvals:read',
      query: ApprovalFilter,
      summary: 'Lists calls that wait for approval, or were decided.',
      answers: { 200: z.object({ approvals: z.array(AnyObject), ...Page }) },
    },
    async ({ ctx, query }) => {
      const { rows, total } = await listApprovals(ctx, query)
      return Response.json({ approvals: rows, total, page: query.page, pageSize: query.pageSize })
    },
  ),
  endpoint(
    'POST',
    '/approvals/{approvalId}',
    {
      role: 'member',
      scope: 'approvals:write',
      body: Answer,
      summary: 'Approves, edits or denies a call that waits.',
      answers: { 200: z.object({ approvalId: z.string(), runId: z.string(), status: z.string() }) },
    },
    async ({ ctx, params, body }) => {
      const approvalId = parseId(params.approvalId, 'This approval')
      return Response.json({ approvalId, ...(await decideApproval(ctx, { approvalId, ...body })) })
    },
  ),
]
