import { ReasonedSwitch } from '@/components/forms/reason-dialog'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ApprovalRuleListing, RuleSortKey } from '@/lib/domains/approvals/schemas'
import type { MarkedRule } from '@/lib/toolset/known-names'
import { switchRule } from '../actions'
import { withoutRule } from '../rule-words'
import { DeleteRule } from './delete-rule'
import { RuleScope } from './rule-scope'

type Props = { rows: MarkedRule[]; address: ListAddress<RuleSortKey> }

export function RuleList(props: Props) {
  return (
    <DataTable
      label="Rules"
      columns={columns}
      rowKey={(rule) => rule.id}
      card={(rule) => <Entry rule={rule} />}
      {...props}
    />
  )
}

const columns: Column<MarkedRule, RuleSortKey>[] = [
  {
    key: 'state',
    head: 'State',
    sort: 'switch',
    className: 'w-24',
    cell: (rule) => <RuleSwitch rule={rule} />,
  },
  {
    key: 'name',
    head: 'Name',
    sort: 'text',
    className: 'min-w-40 max-w-72',
    cell: (rule) => (
      <RowLink href={`/approvals/rules/${rule.id}`}>
        <VisibleText text={rule.name} />
      </RowLink>
    ),
  },
  {
    key: 'scope',
    head: 'Matches',
    className: 'min-w-56',
    cell: (rule) => <RuleScope rule={rule} />,
  },
  {
    key: 'added-by',
    head: 'Added by',
    sort: 'text',
    className: 'min-w-40 max-w-48 [overflow-wrap:anywhere]',
    cell: (rule) => rule.createdByLabel,
  },
  {
    key: 'changed',
    head: 'Changed',
    sort: 'time',
    className: 'whitespace-nowrap',
    cell: (rule) => <RelativeTime at={rule.updatedAt} />,
  },
  {
    key: 'delete',
    head: <span className="sr-only">Delete</span>,
    className: 'w-10 py-1',
    cell: (rule) => <DeleteRule rule={rule} />,
  },
]

/** Shows which calls a rule stops, and its switch. */
function Entry({ rule }: { rule: MarkedRule }) {
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <RowLink href={`/approvals/rules/${rule.id}`} className="min-w-0 py-1 font-medium">
          <VisibleText text={rule.name} />
        </RowLink>
        <RuleSwitch rule={rule} />
      </div>
      <div className="flex items-end justify-between gap-3 text-sm">
        <RuleScope rule={rule} />
        <DeleteRule rule={rule} />
      </div>
    </>
  )
}

/** Switches a rule on or off. Calls that already wait because of it keep waiting. */
function RuleSwitch({ rule: { id, name, enabled, action } }: { rule: ApprovalRuleListing }) {
  return (
    <ReasonedSwitch id={id} name={name} enabled={enabled} send={switchRule}>
      {withoutRule[action]}
    </ReasonedSwitch>
  )
}
