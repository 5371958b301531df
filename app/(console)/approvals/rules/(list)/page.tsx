import { ListChecks, Plus, SearchX } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { z } from 'zod'
import { AddressFilter } from '@/components/forms/address-filter'
import { addressOf } from '@/components/forms/address-of'
import { countOf } from '@/components/trace/count-of'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageLinks } from '@/components/ui/page-links'
import { listApprovalRules } from '@/lib/approvals/list-approval-rules'
import { requireAdmin } from '@/lib/auth/require-user'
import { lenientQuery } from '@/lib/lenient-query'
import { ApprovalsHead } from '../../approvals-head'
import { findRules } from './find-rules'
import { RuleCards } from './rule-cards'
import { RuleTable } from './rule-table'

export const metadata: Metadata = { title: 'Approval rules' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const path = '/approvals/rules'
const pageSize = 50
const Query = z.object({
  search: z.string().trim().max(200).optional(),
  state: z.enum(['on', 'off']).optional(),
  page: z.coerce.number().int().min(1).max(100).default(1),
})
const states = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
]

export default async function RulesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { search, state, page } = lenientQuery(Query, await searchParams)
  const all = await listApprovalRules(ctx)
  const found = findRules(all, search ?? '', state)
  const rules = found.slice((page - 1) * pageSize, page * pageSize)
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <ApprovalsHead current="rules" role={ctx.actor.role} action={all.length > 0 && <Add />}>
        A call that fits any rule which is on waits for a person’s word. Without rules, no call
        waits.
      </ApprovalsHead>
      <AddressFilter
        path={path}
        fields={[
          { type: 'search', name: 'search', label: 'Search rules' },
          { type: 'choice', name: 'state', label: 'State', any: 'On and off', options: states },
        ]}
        values={{ search, state }}
        count={countOf(found.length, 'rule')}
      />
      {rules.length === 0 ? (
        <Nothing some={all.length > 0} />
      ) : (
        <>
          <RuleTable rules={rules} />
          <RuleCards rules={rules} />
        </>
      )}
      <PageLinks
        of="rules"
        page={page}
        pages={Math.ceil(found.length / pageSize)}
        hrefOf={(to) => addressOf(path, { search, state, page: to })}
      />
    </div>
  )
}

function Add() {
  return (
    <Button asChild variant="primary">
      <Link href={`${path}/new`}>
        <Plus className="size-4" aria-hidden />
        Add rule
      </Link>
    </Button>
  )
}

function Nothing({ some }: { some: boolean }) {
  if (some) {
    return (
      <EmptyState
        icon={SearchX}
        title="No rule fits this filter"
        action={
          <Button asChild>
            <Link href={path}>Clear filter</Link>
          </Button>
        }
      >
        Search looks at name, tool, group, configuration and conditions.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={ListChecks} title="No rules yet" action={<Add />}>
      A rule names a tool, a group, a configuration or what the arguments look like. You see which
      past calls it would have stopped before you save it.
    </EmptyState>
  )
}
