import { ListChecks } from 'lucide-react'
import type { Metadata } from 'next'
import { z } from 'zod'
import type { FilterField } from '@/components/forms/address-filter'
import { onOffField } from '@/components/list/filter-fields'
import { AddLink } from '@/components/list/links'
import { WholeList } from '@/components/list/list-frame'
import { EmptyState } from '@/components/ui/empty-state'
import { requireAdmin } from '@/lib/auth/require-user'
import { listApprovalRules } from '@/lib/domains/approvals/reads'
import { defaultRuleSort, RuleSort } from '@/lib/domains/approvals/schemas'
import { ruleActionWords } from '@/lib/domains/approvals/shape'
import { lenientQuery } from '@/lib/kernel/lenient-query'
import { matchesSearch } from '@/lib/protocol/matches-search'
import { type MarkedRule, withMissing } from '@/lib/toolset/known-names'
import { ApprovalsHead } from '../../../../approvals/approvals-head'
import { conditionWords, missingWords, scopeWords } from '../rule-words'
import { RuleList } from './rule-list'

export const metadata: Metadata = { title: 'Rules' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const path = '/approvals/rules'
const Query = z.object({
  search: z.string().trim().max(200).optional(),
  state: z.enum(['on', 'off']).optional(),
  page: z.coerce.number().int().min(1).max(100).default(1),
  sort: RuleSort,
})
const fields: readonly FilterField[] = [
  { type: 'search', name: 'search', label: 'Search rules' },
  onOffField,
]

const add = <AddLink href={`${path}/new`}>Add rule</AddLink>

export default async function RulesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { page, sort, ...values } = lenientQuery(Query, await searchParams)
  const all = await withMissing(await listApprovalRules(ctx, { sort }))
  const found = findRules(all, values.search, values.state)
  const address = { path, values, page, sort: { by: sort, default: defaultRuleSort } }
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <ApprovalsHead current="rules" role={ctx.actor.role} action={all.length > 0 && add}>
        A call that a rule matches is refused, waits for approval, or is noted in the trace. Of
        several rules that match, the most restrictive counts. Without rules, no call waits.
      </ApprovalsHead>
      <WholeList
        thing="rule"
        address={address}
        fields={fields}
        found={found}
        whole={all.length}
        list={RuleList}
        searched="name, action, tool, group, configuration and conditions"
        nothing={
          <EmptyState icon={ListChecks} title="No rules yet" action={add}>
            A rule refuses, asks about or notes calls by tool, tool group, configuration and
            arguments. Before you save it, you can see which past calls it would have matched.
          </EmptyState>
        }
      />
    </div>
  )
}

/** Returns the rules whose text in the list contains every word of the search. */
function findRules(
  rules: readonly MarkedRule[],
  search: string | undefined,
  state: 'on' | 'off' | undefined,
): MarkedRule[] {
  return rules.filter((rule) => {
    if (state !== undefined && rule.enabled !== (state === 'on')) return false
    const shown = [
      rule.name,
      scopeWords(rule),
      ruleActionWords[rule.action],
      ...rule.missing.map((what) => missingWords[what]),
      ...rule.conditions.map(conditionWords),
    ]
    return matchesSearch(search, shown)
  })
}
