import { listApiKeys } from '@toolgate/server/domains/api-keys/verbs'
import { listAlerts } from '@toolgate/server/domains/budgets/list-alerts'
import { budgetVerbs } from '@toolgate/server/domains/budgets/verbs'
import { listGovernedConfigurations } from '@toolgate/server/domains/configurations/reads'
import { listGroupNames } from '@toolgate/server/domains/groups/reads'
import { listModels } from '@toolgate/server/domains/models/reads'
import { lacksPrice } from '@toolgate/server/domains/models/schemas'
import { readResourceList } from '@toolgate/server/edge/resource-list'
import { Gauge } from 'lucide-react'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { ResourceListPage } from '@/components/resource/resource-list-page'
import { budgets } from '@/lib/domains/budgets/shape'
import { requireAdmin } from '@/lib/next/require-user'
import { Alerts } from './alerts'
import { BudgetCard, budgetColumns } from './budget-list'
import { NewBudgetButton } from './new-budget'
import { withTopNames } from './top-names'

export const metadata: Metadata = { title: 'Budgets' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const filters: readonly FilterField[] = [
  {
    type: 'choice',
    name: 'scope',
    label: 'For',
    any: 'For anyone',
    options: budgets.fields.scope.choices,
  },
  {
    type: 'choice',
    name: 'used',
    label: 'Used',
    any: 'Any use',
    options: [
      { value: '80', label: 'At least 80 %' },
      { value: '100', label: 'Used up' },
    ],
  },
]

export default async function BudgetsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const [read, existing, models, alerts, groups, configurations, keys] = await Promise.all([
    readResourceList(ctx, budgets, budgetVerbs, await searchParams),
    budgetVerbs.list(ctx, { sort: budgets.order }),
    listModels(ctx, {}),
    listAlerts(ctx),
    listGroupNames(ctx),
    listGovernedConfigurations(ctx, {}),
    listApiKeys(ctx),
  ])
  const list = { ...read, rows: await withTopNames(read.rows) }
  return (
    <ResourceListPage
      title="Budgets"
      about="Limits per day or month."
      add={
        <NewBudgetButton
          names={{
            groups,
            configurations: configurations.map(({ id, name }) => ({ id, name })),
            keys: keys
              .filter(({ revokedAt }) => revokedAt === null)
              .map(({ id, name, userEmail }) => ({ id, name: `${name} (${userEmail})` })),
          }}
          models={models.filter(lacksPrice)}
          existing={existing.rows}
        />
      }
      resource={budgets}
      list={list}
      filters={filters}
      columns={budgetColumns}
      card={(budget) => <BudgetCard budget={budget} />}
      searched="scope, unit and top user"
      nothing={{
        icon: Gauge,
        words: 'Without budgets, spending is unlimited.',
      }}
    >
      <Alerts alerts={alerts} />
    </ResourceListPage>
  )
}
