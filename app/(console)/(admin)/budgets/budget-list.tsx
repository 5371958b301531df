import { objectActions } from '@/app/(console)/(admin)/object-actions'
import { BudgetBar } from '@/components/budgets/budget-bar'
import { CardHead, resourceColumns } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { type Budget, budgets } from '@/lib/domains/budgets/shape'
import { amountWords } from '@/lib/words/format'

const { change } = objectActions(budgets)

export const budgetColumns = resourceColumns(budgets, change, [
  {
    key: 'used',
    head: 'Used',
    sort: 'number',
    className: 'min-w-44',
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
])

/** Shows how much of a budget is used. */
export function Bar({ budget }: { budget: Budget }) {
  return <BudgetBar {...budget} muted={!budget.enabled} />
}

/** Shows who used most of a budget. */
export function Top({ budget: { scope, topUser, unit } }: { budget: Budget }) {
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
      <CardHead resource={budgets} row={budget} send={change} />
      <Bar budget={budget} />
      <span className="text-muted text-sm">
        Resets <RelativeTime at={budget.resetsAt} />
      </span>
    </>
  )
}

/** Shows when the budget will be used up if spending goes on at the same rate. */
export function Pace({ budget: { enabled, spent, amount, fullAt } }: { budget: Budget }) {
  if (!enabled || spent === 0) return <span className="text-muted">no usage yet</span>
  if (spent >= amount) return <span className="font-medium text-error">used up</span>
  if (fullAt === null) return <span className="text-ok">lasts until the reset</span>
  if (Date.parse(fullAt) - Date.now() < 60_000) {
    return <span className="font-medium text-warning">used up within a minute</span>
  }
  return (
    <span className="text-warning">
      used up <RelativeTime at={fullAt} />
    </span>
  )
}
