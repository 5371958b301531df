'use client'
import type { ListedRun } from '@toolgate/server/runs/lists/listed-run'
import type { RunColumnKey } from '@toolgate/server/runs/lists/view-schemas'
import type { RunSortKey } from '@toolgate/server/runs/schemas'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { Cost } from '@/components/ui/cost'
import { RelativeTime } from '@/components/ui/relative-time'
import { type PackedRows, unpackRows } from './packed-rows'
import { Fitting, Members, OpenPanels } from './panel-members'
import { hrefOf, RunDuration, runColumns, State } from './run-columns'

type Props = {
  rows: PackedRows<ListedRun>
  columns: readonly RunColumnKey[]
  admin: boolean
  address: ListAddress<RunSortKey>
  /** The request came from a phone. */
  phone: boolean
}

/**
 * Shows runs, the members of a panel below it once it is open. The browser renders the rows, too, because their data is a tenth of their
 * HTML.
 */
export function RunList({ rows, columns, admin, phone, ...props }: Props) {
  const listed = useMemo(() => unpackRows(rows), [rows])
  const narrow = useSyncExternalStore(watchWidth, isNarrow, () => phone)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (panelId: string) =>
    setOpen((was) =>
      was.has(panelId)
        ? new Set([...was].filter((id) => id !== panelId))
        : new Set([...was, panelId]),
    )
  return (
    <OpenPanels value={{ open, toggle }}>
      <DataTable
        label="Runs"
        rows={listed}
        only={narrow ? 'cards' : 'table'}
        dense
        columns={runColumns.filter(({ key }) => columns.includes(key) && (admin || key !== 'user'))}
        rowKey={(row) => row.runId}
        below={({ panel }) => (panel && open.has(panel.panelId) ? panel.runs : [])}
        card={(row) => <Entry row={row} admin={admin} />}
        {...props}
      />
    </OpenPanels>
  )
}

const narrowWindow = '(width < 48rem)'

function watchWidth(onChange: () => void): () => void {
  const query = window.matchMedia(narrowWindow)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

function isNarrow(): boolean {
  return window.matchMedia(narrowWindow).matches
}

/** Shows one run on a narrow screen. */
function Entry({ row, admin }: { row: ListedRun; admin: boolean }) {
  return (
    <>
      <CardLink href={hrefOf(row)} className="line-clamp-2">
        <VisibleText text={row.member ?? row.prompt} />
      </CardLink>
      {row.panel && (
        <div className="flex flex-wrap items-center gap-2">
          <Members panel={row.panel} />
          <Fitting panel={row.panel} />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <State row={row} />
        <RelativeTime at={row.createdAt} className="relative z-10 text-muted text-sm" />
      </div>
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        <li>
          <Cost microUsd={row.costMicroUsd} bound={row.costBound} />
        </li>
        <li>
          <RunDuration row={row} />
        </li>
        <li>{row.configurationName}</li>
        {admin && <li>{row.userName}</li>}
        {row.task && <li>task {row.task.name}</li>}
      </ul>
    </>
  )
}
