import { ApprovalFilter } from '@/lib/approvals/schemas'
import type { Ctx } from '@/lib/context'
import { lenientQuery } from '@/lib/lenient-query'
import { listApprovals } from '@/lib/runs/list-approvals'

type Params = Record<string, string | string[] | undefined>

const Query = ApprovalFilter.pick({ search: true, page: true })
const pageSize = 25

/** One page of the calls that wait, as the page's address asks for it; what is not its rows goes to the frame around them. */
export async function readPending(ctx: Ctx, params: Params) {
  const { page, ...values } = lenientQuery(Query, params)
  const { rows, total } = await listApprovals(ctx, { status: 'pending', ...values, page, pageSize })
  return { rows, total, pageSize, address: { path: '/approvals', values, page, sort: null } }
}
