'use client'
import type { PanelRow } from '@toolgate/server/runs/panels/panel-schemas'
import { Check } from 'lucide-react'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { PanelPill } from '@/components/nouns/panel-pill'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCostMicroUsd, formatCount } from '@/lib/words/format'

/** Shows panels, each with its members and what they cost together. */
export function PanelList({
  rows,
  admin,
  address,
}: {
  rows: PanelRow[]
  admin: boolean
  address: ListAddress
}) {
  return (
    <DataTable
      label="Panels"
      columns={columns.filter(({ key }) => admin || key !== 'person')}
      rows={rows}
      address={address}
      rowKey={(row) => row.panelId}
      card={(row) => <Entry row={row} />}
    />
  )
}

const columns: Column<PanelRow>[] = [
  {
    key: 'prompt',
    head: 'Panel',
    className: 'min-w-56 max-w-96',
    cell: (row) => (
      <RowLink href={hrefOf(row)} className="line-clamp-2">
        <VisibleText text={row.title} />
      </RowLink>
    ),
  },
  {
    key: 'members',
    head: 'Members',
    className: 'min-w-40 max-w-72',
    cell: (row) => (
      <span className="line-clamp-2 [overflow-wrap:anywhere]" title={namesOf(row)}>
        {namesOf(row)}
      </span>
    ),
  },
  { key: 'state', head: 'State', cell: (row) => <PanelPill row={row} /> },
  {
    key: 'chosen',
    head: 'Chosen answer',
    className: 'max-w-48',
    cell: (row) => <Chosen row={row} />,
  },
  {
    key: 'person',
    head: 'Person',
    className: 'max-w-40 truncate',
    cell: (row) => (
      <span title={row.userEmail}>
        <VisibleText text={row.userName} />
      </span>
    ),
  },
  { key: 'tokens', head: 'Tokens', figures: true, cell: (row) => formatCount(row.tokens) },
  {
    key: 'cost',
    head: 'Cost',
    figures: true,
    className: 'whitespace-nowrap',
    cell: (row) => formatCostMicroUsd(row.costMicroUsd),
  },
  {
    key: 'started',
    head: 'Started',
    className: 'whitespace-nowrap',
    cell: (row) => <RelativeTime at={row.createdAt} />,
  },
]

const hrefOf = ({ panelId }: PanelRow) => `/runs/panels/${panelId}`

function namesOf({ members }: PanelRow): string {
  return members.map(({ name }) => visibleText(name)).join(', ')
}

function Chosen({ row: { choice, members } }: { row: PanelRow }) {
  if (!choice) return <span className="text-muted">-</span>
  const chosen = members.find(({ runId }) => runId === choice.runId && runId !== null)
  return (
    <span className="flex items-center gap-1">
      {chosen && <Check className="size-4 shrink-0 text-ok" aria-hidden />}
      <span className="truncate">
        {chosen ? <VisibleText text={chosen.name} /> : 'None of them'}
      </span>
    </span>
  )
}

function Entry({ row }: { row: PanelRow }) {
  return (
    <div className="flex flex-col gap-1">
      <CardLink href={hrefOf(row)}>
        <VisibleText text={row.title} />
      </CardLink>
      <p className="flex flex-wrap items-center gap-x-2 text-sm">
        <PanelPill row={row} />
        <span className="numeric text-muted">
          {countOf(row.members.length, 'member')}, {formatCostMicroUsd(row.costMicroUsd)},{' '}
          <RelativeTime at={row.createdAt} />
        </span>
      </p>
      {row.choice && (
        <div className="text-sm">
          <Chosen row={row} />
        </div>
      )}
    </div>
  )
}
