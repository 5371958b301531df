import { History } from 'lucide-react'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { EmptyState } from '@/components/ui/empty-state'
import { approvalDecisions } from '@/lib/approvals/schemas'
import { requireUser } from '@/lib/auth/require-user'
import { ApprovalsFrame } from '../approvals-frame'
import { ApprovalsHead } from '../approvals-head'
import { DecidedList } from './decided-list'
import { decisionWords } from './decided-pill'
import { readDecided } from './read-decided'

export const metadata: Metadata = { title: 'Decided approvals' }

const decisionField: FilterField = {
  type: 'choice',
  name: 'decision',
  label: 'Decision',
  any: 'Any decision',
  options: approvalDecisions.map((value) => ({ value, label: decisionWords(value).word })),
}

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function DecidedPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireUser()
  const { rows, ...list } = await readDecided(ctx, await searchParams)
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <ApprovalsHead current="decided" role={ctx.actor.role}>
        Past decisions: the call, who decided, when and why.
      </ApprovalsHead>
      <ApprovalsFrame {...list} fields={[decisionField]} nothing={<Nothing />}>
        <DecidedList rows={rows} address={list.address} />
      </ApprovalsFrame>
    </div>
  )
}

function Nothing() {
  return (
    <EmptyState icon={History} title="No decisions yet">
      Every approved, denied or expired call appears here, with the person who decided.
    </EmptyState>
  )
}
