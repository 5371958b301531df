import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { readResourceList } from '@toolgate/server/edge/resource-list'
import { approvalRuleVerbs } from '@toolgate/server/joined-verbs'
import { ListChecks } from 'lucide-react'
import type { Metadata } from 'next'
import { objectActions } from '@/app/(console)/(admin)/object-actions'
import type { Column } from '@/components/list/columns'
import { AddLink } from '@/components/list/links'
import {
  CardHead,
  nameColumn,
  ResourceList,
  switchColumn,
} from '@/components/resource/resource-list'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { RelativeTime } from '@/components/ui/relative-time'
import { approvalRules, type Rule } from '@/lib/domains/approvals/shape'
import { requireAdmin } from '@/lib/next/require-user'
import type { SortKeyOf } from '@/lib/shape/resource'
import { DeleteRule } from './delete-rule'
import { RuleScope } from './rule-scope'

export const metadata: Metadata = { title: 'Rules' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const add = <AddLink href="/approvals/rules/new">Add rule</AddLink>

export default async function RulesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const read = await readResourceList(ctx, approvalRules, approvalRuleVerbs, await searchParams)
  const list = { ...read, rows: await withPersonNames(read.rows, ['createdByLabel']) }
  return (
    <PageFrame kind="list">
      <PageHead title="Rules" action={list.whole > 0 && add}>
        Rules refuse calls, make them wait, or note them.
      </PageHead>
      <ResourceList
        resource={approvalRules}
        list={list}
        columns={columns}
        card={(rule) => <Entry rule={rule} />}
        searched="name, action, subject and conditions"
        nothing={
          <EmptyState icon={ListChecks} title="No rules yet" action={add}>
            Rules refuse calls, ask a person about them or note them.
          </EmptyState>
        }
      />
    </PageFrame>
  )
}

const { change } = objectActions(approvalRules)

const columns: Column<Rule, SortKeyOf<typeof approvalRules>>[] = [
  switchColumn(approvalRules.fields, change),
  nameColumn(approvalRules.fields.name.label, approvalRules),
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
    cell: ({ createdByLabel }) => <VisibleText text={createdByLabel} />,
  },
  {
    key: 'changed',
    head: 'Changed',
    sort: 'time',
    className: 'whitespace-nowrap',
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
  {
    key: 'delete',
    head: <span className="sr-only">Delete</span>,
    acts: true,
    className: 'w-10 py-1',
    cell: (rule) => <DeleteRule rule={rule} />,
  },
]

/** Shows one rule on a narrow screen. */
function Entry({ rule }: { rule: Rule }) {
  return (
    <>
      <CardHead resource={approvalRules} row={rule} send={change} />
      <div className="flex items-end justify-between gap-3 text-sm">
        <RuleScope rule={rule} />
        <span className="relative z-10">
          <DeleteRule rule={rule} />
        </span>
      </div>
    </>
  )
}
