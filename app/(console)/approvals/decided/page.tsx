import {
  ApprovalFilter,
  approvalDecisions,
  DecidedSort,
  defaultDecidedSort,
} from '@toolgate/server/domains/approvals/schemas'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import { readApprovals } from '@toolgate/server/runs/approvals/list-approvals'
import { History } from 'lucide-react'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { PageHead } from '@/components/shell/page-head'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireUser } from '@/lib/next/require-user'
import { rowsPerPage } from '@/lib/shape/resource'
import { ApprovalsFrame } from '../approvals-frame'
import { DecidedList } from './decided-list'
import { decisionWords } from './decided-pill'

export const metadata: Metadata = { title: 'Decided · Approvals' }

const decisionField: FilterField = {
  type: 'choice',
  name: 'decision',
  label: 'Decision',
  any: 'Any decision',
  options: approvalDecisions.map((value) => ({ value, label: decisionWords(value).word })),
}

type Params = Record<string, string | string[] | undefined>

export default async function DecidedPage({ searchParams }: { searchParams: Promise<Params> }) {
  const ctx = await requireUser()
  const { rows, ...list } = await readDecided(ctx, await searchParams)
  return (
    <PageFrame kind="list">
      <PageHead title="Approvals">Who decided what, when and why.</PageHead>
      <ApprovalsFrame {...list} fields={[decisionField]} nothing={<Nothing />}>
        <DecidedList rows={rows} address={list.address} />
      </ApprovalsFrame>
    </PageFrame>
  )
}

function Nothing() {
  return (
    <EmptyState icon={History} title="No decisions yet">
      Approved, denied and expired calls appear here.
    </EmptyState>
  )
}

const Query = ApprovalFilter.pick({ search: true, decision: true, page: true }).extend({
  sort: DecidedSort,
})

/** Reads one page of the decided calls, as the address asks for it. Everything but `rows` is for the list's frame. */
async function readDecided(ctx: Ctx, params: Params) {
  const { page, sort, ...values } = lenientQuery(Query, params)
  const filter = { status: 'decided' as const, ...values, page, pageSize: rowsPerPage }
  const { approvals, total } = await readApprovals(ctx, filter, sort)
  const order = { by: sort, default: defaultDecidedSort }
  return {
    rows: await withPersonNames(approvals, ['decidedByLabel', 'userEmail'], { withAddress: true }),
    total,
    pageSize: rowsPerPage,
    address: { path: '/approvals/decided', values, page, sort: order },
  }
}
