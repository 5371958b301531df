import { ApprovalFilter } from '@/lib/approvals/schemas'
import type { Ctx } from '@/lib/context'
import { lenientQuery } from '@/lib/lenient-query'
import { listApprovals } from '@/lib/runs/list-approvals'

type Params = Record<string, string | string[] | undefined>

const Query = ApprovalFilter.pick({ search: true, page: true })

const paths = { pending: '/approvals', decided: '/approvals/decided' }

/** One page of approvals, as the page's address asks for it; what is not its rows goes to the frame around them. */
export async function readList(
  ctx: Ctx,
  status: 'pending' | 'decided',
  pageSize: number,
  params: Params,
) {
  const { search, page } = lenientQuery(Query, params)
  const { rows, total } = await listApprovals(ctx, { status, search, page, pageSize })
  const address = { path: paths[status], values: { search }, page, sort: null }
  return { rows, total, pageSize, address }
}
