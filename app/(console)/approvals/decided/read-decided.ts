import { ApprovalFilter, DecidedSort, usualDecidedSort } from '@/lib/approvals/schemas'
import type { Ctx } from '@/lib/context'
import { lenientQuery } from '@/lib/lenient-query'
import { listApprovals } from '@/lib/runs/list-approvals'

type Params = Record<string, string | string[] | undefined>

const Query = ApprovalFilter.pick({ search: true, decision: true, page: true }).extend({
  sort: DecidedSort,
})
const pageSize = 50

/** One page of what was decided, as the page's address asks for it; what is not its rows goes to the frame around them. */
export async function readDecided(ctx: Ctx, params: Params) {
  const { page, sort, ...values } = lenientQuery(Query, params)
  const filter = { status: 'decided' as const, ...values, page, pageSize }
  const { rows, total } = await listApprovals(ctx, filter, sort)
  const order = { by: sort, usual: usualDecidedSort }
  return {
    rows,
    total,
    pageSize,
    address: { path: '/approvals/decided', values, page, sort: order },
  }
}
