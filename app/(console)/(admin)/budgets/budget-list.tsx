import { BudgetBar } from '@/components/budgets/budget-bar'
import { ReasonedSwitch } from '@/components/forms/reason-dialog'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import type { BudgetListing, BudgetSortKey } from '@/lib/domains/budgets/schemas'
import { amountWords } from '@/lib/protocol/format'
import { changeBudget } from './actions'
import { BudgetActions } from './budget-actions'

type Props = { rows: BudgetListing[]; address: ListAddress<BudgetSortKey> }

export function BudgetList(props: Props) {
  return (
    <DataTable
      label="Budgets"
      columns={columns}
      rowKey={(budget) => budget.id}
      card={(budget) => <Entry budget={budget} />}
      tableFrom="lg"
      {...props}
    />
  )
}

const columns: Column<BudgetListing, BudgetSortKey>[] = [
  {
    key: 'state',
    head: 'State',
    sort: 'switch',
    className: 'w-24',
    cell: (budget) => <BudgetSwitch budget={budget} />,
  },
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

function Title({ budget }: { budget: BudgetListing }) {
  return (
    <span className="font-medium text-strong [overflow-wrap:anywhere]">
      <VisibleText text={budget.title} />
    </span>
  )
}

function Bar({ budget }: { budget: BudgetListing }) {
  const { unit, amount, spent, reserved, spentAtLeast, enabled } = budget
  return <BudgetBar {...{ unit, amount, spent, reserved, spentAtLeast }} muted={!enabled} />
}

function Top({ budget: { scope, topUser, unit } }: { budget: BudgetListing }) {
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
function Entry({ budget }: { budget: BudgetListing }) {
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <Title budget={budget} />
        <BudgetSwitch budget={budget} />
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
function Pace({ budget: { enabled, spent, amount, fullAt } }: { budget: BudgetListing }) {
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

/** Switches a budget on or off. */
function BudgetSwitch({ budget: { id, title, enabled } }: { budget: BudgetListing }) {
  return (
    <ReasonedSwitch id={id} name={title} enabled={enabled} send={changeBudget}>
      It does not count or limit requests until it is switched on again.
    </ReasonedSwitch>
  )
}
