import type { RanConfiguration } from '@toolgate/server/runs/checks/read-for-pages'
import type { CheckRunListing } from '@toolgate/server/runs/checks/schemas'
import { modeWords, VerdictPill } from '@/components/checks/verdict-pill'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { Cost } from '@/components/ui/cost'
import { RelativeTime } from '@/components/ui/relative-time'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatDuration } from '@/lib/words/format'

/** `changed`: configurations with another version than in the run before. */
type Row = CheckRunListing & {
  configurations: readonly RanConfiguration[]
  changed: readonly RanConfiguration[]
}

/** Shows the runs of a check or of a suite, the newest first. */
export function CheckHistory({ rows, address }: { rows: readonly Row[]; address: ListAddress }) {
  return (
    <DataTable
      label="Results"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      card={(row) => <Entry row={row} />}
      address={address}
    />
  )
}

const hrefOf = ({ id }: Row) => `/checks/runs/${id}`

const columns: Column<Row>[] = [
  {
    key: 'started',
    head: 'Started',
    className: 'whitespace-nowrap',
    cell: (row) => (
      <RowLink href={hrefOf(row)}>
        <RelativeTime at={row.createdAt} />
      </RowLink>
    ),
  },
  {
    key: 'by',
    head: 'Started by',
    className: 'max-w-40 truncate',
    cell: ({ by }) => <VisibleText text={by} />,
  },
  { key: 'verdict', head: 'Result', cell: (row) => <Result row={row} /> },
  {
    key: 'mode',
    head: 'Tools',
    className: 'whitespace-nowrap',
    cell: (row) => modeWords[row.mode],
  },
  {
    key: 'configurations',
    head: 'Configuration',
    className: 'max-w-72 [overflow-wrap:anywhere]',
    cell: ({ configurations }) => configurationWords(configurations),
  },
  {
    key: 'changed',
    head: 'Changed since the run before',
    className: 'max-w-72 [overflow-wrap:anywhere]',
    cell: ({ changed }) => configurationWords(changed) || '–',
  },
  { key: 'cost', head: 'Cost', figures: true, cell: (row) => <CostOf row={row} /> },
  {
    key: 'time',
    head: 'Time',
    figures: true,
    className: 'whitespace-nowrap',
    cell: (row) => timeOf(row) ?? '–',
  },
]

function Result({ row }: { row: Row }) {
  const tries = row.passed + row.failed + row.notRun + row.open
  return (
    <span className="flex flex-wrap items-center gap-2">
      <VerdictPill verdict={row.verdict} />
      {tries > 1 && (
        <span className="numeric text-muted text-sm">
          {row.passed} passed, {row.failed} failed
          {row.notRun > 0 && `, ${row.notRun} not run`} of {countOf(tries, 'try', 'tries')}
        </span>
      )}
      {row.stoppedBy !== null && <span className="text-muted text-sm">Stopped</span>}
    </span>
  )
}

function CostOf({ row }: { row: Row }) {
  return <Cost microUsd={row.costMicroUsd} bound="exact" />
}

/** Returns the configurations with their versions: "Local, version 3". */
function configurationWords(configurations: readonly RanConfiguration[]): string {
  return configurations
    .map(({ name, version }) =>
      version === null ? visibleText(name) : `${visibleText(name)}, version ${version}`,
    )
    .join('; ')
}

function timeOf({ createdAt, endedAt }: Row): string | null {
  if (endedAt === null) return null
  return formatDuration(Math.max(0, Date.parse(endedAt) - Date.parse(createdAt)))
}

/** Shows one run of a check on a narrow screen. */
function Entry({ row }: { row: Row }) {
  const time = timeOf(row)
  return (
    <div className="flex flex-col gap-1">
      <CardLink href={hrefOf(row)}>
        <RelativeTime at={row.createdAt} />
      </CardLink>
      <Result row={row} />
      <p className="text-muted text-sm [overflow-wrap:anywhere]">
        {modeWords[row.mode]}, {configurationWords(row.configurations)}
        {row.changed.length > 0 && `. Changed: ${configurationWords(row.changed)}`}
      </p>
      <p className="numeric text-muted text-sm">
        <CostOf row={row} />
        {time !== null && `, ${time}`}
      </p>
    </div>
  )
}
