import { Gauge } from 'lucide-react'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { onOffField } from '@/components/list/filter-fields'
import { WholeList } from '@/components/list/list-frame'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import { listAlerts } from '@/lib/domains/budgets/list-alerts'
import { listBudgets } from '@/lib/domains/budgets/reads'
import { BudgetFilter, defaultBudgetSort } from '@/lib/domains/budgets/schemas'
import { scopeChoices } from '@/lib/domains/budgets/shape'
import { listGovernedConfigurations } from '@/lib/domains/configurations/reads'
import { listGroupNames } from '@/lib/domains/groups/reads'
import { lenientQuery } from '@/lib/kernel/lenient-query'
import { Alerts } from './alerts'
import { BudgetList } from './budget-list'
import { NewBudgetButton } from './new-budget'

export const metadata: Metadata = { title: 'Budgets' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const fields: readonly FilterField[] = [
  { type: 'search', name: 'search', label: 'Search budgets' },
  { type: 'choice', name: 'scope', label: 'For', any: 'For anyone', options: scopeChoices },
  onOffField,
]

export default async function BudgetsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const filter = lenientQuery(BudgetFilter, await searchParams)
  const { page, sort, ...values } = filter
  const [{ budgets, whole }, alerts, groups, configurations] = await Promise.all([
    listBudgets(ctx, filter),
    listAlerts(ctx),
    listGroupNames(ctx),
    listGovernedConfigurations(ctx, {}),
  ])
  const address = { path: '/budgets', values, page, sort: { by: sort, default: defaultBudgetSort } }
  const add = (
    <NewBudgetButton
      groups={groups}
      configurations={configurations.map(({ id, name }) => ({ id, name }))}
    />
  )
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <PageHead title="Budgets" action={add}>
        Limits on requests, tokens or cost per day or month (UTC). Before each request, Toolgate
        reserves the most that the request can use; afterwards, it counts the actual usage. Runs
        that are active at the same time cannot overspend a budget.
      </PageHead>
      <Alerts alerts={alerts} />
      <WholeList
        thing="budget"
        address={address}
        fields={fields}
        found={budgets}
        whole={whole}
        list={BudgetList}
        searched="scope, unit and top user"
        nothing={
          <EmptyState icon={Gauge} title="No budgets yet" action={add}>
            Without budgets, spending is unlimited. Start with a monthly limit for the whole site.
          </EmptyState>
        }
      />
    </div>
  )
}
