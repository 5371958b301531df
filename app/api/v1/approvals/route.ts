import { ApprovalFilter } from '@/lib/domains/approvals/schemas'
import { route } from '@/lib/kernel/http'
import { listApprovals } from '@/lib/runs/list-approvals'
import { onlyMethods } from '../only-methods'

const list = route(
  { role: 'member', scope: 'approvals:read', query: ApprovalFilter },
  async ({ ctx, query }) => {
    const { rows, total } = await listApprovals(ctx, query)
    return Response.json({ approvals: rows, total, page: query.page, pageSize: query.pageSize })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: list })
