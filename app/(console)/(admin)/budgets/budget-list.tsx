import { BudgetBar } from '@/components/budgets/budget-bar'
import type { Column } from '@/components/list/columns'
import { ResourceSwitch, switchColumn } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { type Budget, budgets } from '@/lib/domains/budgets/shape'
import { amountWords } from '@/lib/protocol/format'
import type { SortKeyOf } from '@/lib/protocol/resource'
import { changeBudget } from './actions'
import { BudgetActions } from './budget-actions'

export const budgetColumns: Column<Budget, SortKeyOf<typeof budgets>>[] = [
  switchColumn(budgets.fields, changeBudget),
  {
    key: 'title',
    head: 'Budget',
    sort: 'text',
    className: 'min-w-40 max-w-80',
    cell: (budget) => <Title budget={budget} />,
  },
  {
    key: 'used',
    head: 'Used',
    sort: 'number',
    className: 'min-w-56',
    cell: (budget) => <Bar budget={budget} />,
  },
  {
    key: 'pace',
    head: 'Forecast',
    className: 'min-w-36 text-sm',
    cell: (budget) => <Pace budget={budget} />,
  },
  {
    key: 'top',
    head: 'Top user',
    className: 'max-w-56 text-sm',
    cell: (budget) => <Top budget={budget} />,
  },
  {
    key: 'resets',
    head: 'Resets',
    sort: 'time',
    className: 'whitespace-nowrap',
    cell: (budget) => <RelativeTime at={budget.resetsAt} />,
  },
  {
    key: 'actions',
    head: <span className="sr-only">Actions</span>,
    className: 'w-20 py-1',
    cell: (budget) => <BudgetActions budget={budget} />,
  },
]

function Title({ budget }: { budget: Budget }) {
  return (
    <span className="font-medium text-strong [overflow-wrap:anywhere]">
      <VisibleText text={budget.title} />
    </span>
  )
}

function Bar({ budget }: { budget: Budget }) {
  const { unit, amount, spent, reserved, spentAtLeast, enabled } = budget
  return <BudgetBar {...{ unit, amount, spent, reserved, spentAtLeast }} muted={!enabled} />
}

function Top({ budget: { scope, topUser, unit } }: { budget: Budget }) {
  if (scope === 'user') return <span className="text-muted">–</span>
  if (!topUser) return <span className="text-muted">none yet</span>
  return (
    <span className="[overflow-wrap:anywhere]">
      <VisibleText text={topUser.email} />{' '}
      <span className="numeric text-muted">{amountWords(topUser.spent, unit)}</span>
    </span>
  )
}

/** Shows one budget on a narrow screen. */
export function BudgetCard({ budget }: { budget: Budget }) {
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <Title budget={budget} />
        <ResourceSwitch fields={budgets.fields} send={changeBudget} row={budget} />
      </div>
      <Bar budget={budget} />
      <div className="flex items-center justify-between gap-3 text-muted text-sm">
        <span>
          Resets <RelativeTime at={budget.resetsAt} />
        </span>
        <BudgetActions budget={budget} />
      </div>
    </>
  )
}

/** Shows when the budget will be used up if spending goes on at the same rate. */
function Pace({ budget: { enabled, spent, amount, fullAt } }: { budget: Budget }) {
  if (!enabled || spent === 0) return <span className="text-muted">no usage yet</span>
  if (spent >= amount) return <span className="font-medium text-error">used up</span>
  if (fullAt === null) return <span className="text-ok">lasts until it resets</span>
  if (Date.parse(fullAt) - Date.now() < 60_000) {
    return <span className="font-medium text-warning">used up within a minute</span>
  }
  return (
    <span className="text-warning">
      used up <RelativeTime at={fullAt} />
    </span>
  )
}
