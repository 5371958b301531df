import type { CheckListing, CheckSortKey } from '@toolgate/server/domains/checks/schemas'
import Link from 'next/link'
import { VerdictPill } from '@/components/checks/verdict-pill'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { countOf, formatCount } from '@/lib/words/format'

type Props = { rows: readonly CheckListing[]; address: ListAddress<CheckSortKey> }

/** Shows checks, each with its last result. */
export function CheckList({ rows, address }: Props) {
  return (
    <DataTable
      label="Checks"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      card={(check) => <Entry check={check} />}
      address={address}
    />
  )
}

const hrefOf = ({ id }: CheckListing) => `/checks/${id}`

const columns: Column<CheckListing, CheckSortKey>[] = [
  {
    key: 'name',
    head: 'Check',
    sort: 'text',
    className: 'min-w-48 max-w-md [overflow-wrap:anywhere]',
    cell: (check) => (
      <>
        <RowLink href={hrefOf(check)}>
          <VisibleText text={check.name} />
        </RowLink>
        {check.description !== '' && (
          <p className="line-clamp-2 text-muted text-sm">
            <VisibleText text={check.description} />
          </p>
        )}
      </>
    ),
  },
  { key: 'last', head: 'Last result', cell: (check) => <LastResult check={check} /> },
  {
    key: 'configuration',
    head: 'Configuration',
    sort: 'text',
    className: 'max-w-48 [overflow-wrap:anywhere]',
    cell: (check) => <Configuration check={check} />,
  },
  {
    key: 'assertions',
    head: 'Assertions',
    figures: true,
    cell: ({ assertionCount }) => formatCount(assertionCount),
  },
  {
    key: 'author',
    head: 'Author',
    className: 'max-w-40 truncate',
    cell: ({ createdByLabel }) => <VisibleText text={createdByLabel} />,
  },
  {
    key: 'changed',
    head: 'Changed',
    sort: 'time',
    className: 'whitespace-nowrap',
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
]

function LastResult({ check: { last } }: { check: CheckListing }) {
  if (last === null) return <span className="text-muted">Not run yet</span>
  return (
    <span className="relative z-10 flex flex-wrap items-center gap-2">
      <VerdictPill verdict={last.verdict} />
      <Link href={`/checks/runs/${last.checkRunId}`} className="text-link hover:underline">
        <RelativeTime at={last.at} />
      </Link>
    </span>
  )
}

function Configuration({ check: { configuration } }: { check: CheckListing }) {
  return (
    <>
      <VisibleText text={configuration.name} />
      {configuration.id === null && <span className="text-muted"> (deleted)</span>}
    </>
  )
}

/** Shows one check on a narrow screen. */
function Entry({ check }: { check: CheckListing }) {
  return (
    <div className="flex flex-col gap-1">
      <CardLink href={hrefOf(check)}>
        <VisibleText text={check.name} />
      </CardLink>
      <LastResult check={check} />
      <p className="text-muted text-sm [overflow-wrap:anywhere]">
        <Configuration check={check} />, {countOf(check.assertionCount, 'assertion')}
      </p>
    </div>
  )
}
