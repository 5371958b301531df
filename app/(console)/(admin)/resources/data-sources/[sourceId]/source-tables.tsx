'use client'
import { DoorOpen, Pencil } from 'lucide-react'
import { useState } from 'react'
import { ActButton } from '@/components/forms/act-button'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Checkbox, triState } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { Section } from '@/components/ui/section'
import {
  type FoundTable,
  type OpenedTable,
  rowOwnerWords,
  type SourceTables,
} from '@/lib/domains/data-sources/shared/opened-table'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { closeSourceTable } from '../actions'
import { OpenTableForm } from './open-table-form'
import { OpenTablesForm } from './open-tables-form'

type Props = {
  sourceId: string
  isConsole: boolean
  opened: readonly OpenedTable[]
  found: SourceTables
  groups: readonly { id: string; name: string }[]
}

/** Shows the tables of a data source that are open to tools, with what is open of them, and those that can be opened. */
export function SourceTablesSection({ sourceId, isConsole, opened, found, groups }: Props) {
  const [shown, setShown] = useState<FoundTable | null>(null)
  const [several, setSeveral] = useState<readonly FoundTable[] | null>(null)
  const { tables, isCut } = found
  const closed = tables.filter((table) => table.opened === null)
  return (
    <>
      <Section title={`Open tables (${opened.length})`} id="open-tables">
        {opened.length === 0 && (
          <p className="text-muted">Open a table below to let tools read it.</p>
        )}
        <ul className="flex flex-col gap-3">
          {opened.map((table) => (
            <Opened
              key={table.id}
              table={table}
              sourceId={sourceId}
              edit={editOf(table, tables, setShown)}
            />
          ))}
        </ul>
      </Section>
      {found.trouble === null && (
        <ClosedTables tables={closed} isCut={isCut} open={setShown} openAll={setSeveral} />
      )}
      {several && (
        <OpenTablesForm
          tables={several}
          onClose={() => setSeveral(null)}
          sourceId={sourceId}
          isConsole={isConsole}
          groups={groups}
        />
      )}
      {shown && (
        <OpenTableForm
          table={shown}
          onClose={() => setShown(null)}
          sourceId={sourceId}
          isConsole={isConsole}
          opened={opened}
          groups={groups}
        />
      )}
    </>
  )
}

/** Number of tables up to which the list has no search field, and of those that are shown before all are. */
const mostAtAGlance = 10

/** Shows the tables that can be opened, with a field that narrows a long list. */
function ClosedTables({
  tables,
  isCut,
  open,
  openAll,
}: {
  tables: readonly FoundTable[]
  isCut: boolean
  open: (table: FoundTable) => void
  openAll: (tables: readonly FoundTable[]) => void
}) {
  const [search, setSearch] = useState('')
  const [names, setNames] = useState<readonly string[]>([])
  const shown = tables.filter((table) =>
    nameOf(table).toLowerCase().includes(search.trim().toLowerCase()),
  )
  const [isWhole, setWhole] = useState(false)
  const picked = shown.filter((table) => names.includes(nameOf(table)))
  const first = shown.slice(0, mostAtAGlance)
  // No table is opened that the list does not show.
  const listed = isWhole || picked.some((table) => !first.includes(table)) ? shown : first
  return (
    <Section
      title={`Closed tables (${tables.length}${isCut ? ' or more' : ''})`}
      id="closed-tables"
      action={
        tables.length > mostAtAGlance && (
          <Input
            type="search"
            aria-label="Search closed tables"
            placeholder="Search closed tables"
            className="sm:w-60"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        )
      }
    >
      {shown.length === 0 && (
        <p className="text-muted">{tables.length === 0 ? 'All tables are open.' : 'No matches'}</p>
      )}
      {shown.length > 0 && (
        <div className="flex flex-wrap items-center gap-4 px-3">
          {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is the control */}
          <label className="flex min-h-8 items-center gap-3">
            <Checkbox
              checked={triState(picked.length, shown.length)}
              onCheckedChange={(all) => setNames(all ? shown.map(nameOf) : [])}
            />
            All {countOf(shown.length, 'table')}
          </label>
          {picked.length > 0 && (
            <Button size="sm" onClick={() => openAll(picked)}>
              Open {countOf(picked.length, 'table')}
            </Button>
          )}
        </div>
      )}
      {shown.length > 0 && (
        <ul className="divide-y rounded-md border bg-surface-1">
          {listed.map((table) => (
            <li key={nameOf(table)} className="flex items-center justify-between gap-4 px-3 py-1">
              <Checkbox
                aria-label={`Pick ${nameOf(table)}`}
                checked={names.includes(nameOf(table))}
                onCheckedChange={(isPicked) =>
                  setNames([
                    ...names.filter((name) => name !== nameOf(table)),
                    ...(isPicked ? [nameOf(table)] : []),
                  ])
                }
              />
              <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
                <TableName table={table} />
                <span className="text-muted">
                  {countOf(table.columns.length, 'column')}
                  {table.isView && ', view'}
                </span>
              </span>
              <Button size="sm" aria-label={`Open ${nameOf(table)}`} onClick={() => open(table)}>
                <DoorOpen className="size-4" aria-hidden />
                Open
              </Button>
            </li>
          ))}
        </ul>
      )}
      {listed.length < shown.length && (
        <Button className="self-start" onClick={() => setWhole(true)}>
          Show all {countOf(shown.length, 'table')}
        </Button>
      )}
    </Section>
  )
}

function nameOf({ schema, name }: { schema: string; name: string }): string {
  return visibleText(`${schema}.${name}`)
}

/** Returns what opens the form of an opened table; null = the database does not have it now. */
function editOf(
  { schema, name }: OpenedTable,
  tables: readonly FoundTable[],
  show: (table: FoundTable) => void,
): (() => void) | null {
  const found = tables.find((table) => table.schema === schema && table.name === name)
  return found ? () => show(found) : null
}

function Opened({
  table,
  sourceId,
  edit,
}: {
  table: OpenedTable
  sourceId: string
  edit: (() => void) | null
}) {
  const called = nameOf(table)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <div className="min-w-0">
        <TableName table={table} />
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          <VisibleText text={factsOf(table)} />
        </p>
      </div>
      <div className="flex gap-2">
        {edit && (
          <Button size="sm" aria-label={`Edit ${called}`} onClick={edit}>
            <Pencil className="size-4" aria-hidden />
            Edit
          </Button>
        )}
        <ActButton
          size="sm"
          icon={null}
          failed="The table was not closed"
          done={`Closed ${called}`}
          send={() => closeSourceTable({ id: sourceId, tableId: table.id })}
        >
          Close <span className="sr-only">{called}</span>
        </ActButton>
      </div>
    </li>
  )
}

function TableName({ table }: { table: { schema: string; name: string } }) {
  return <code className="font-mono text-mono [overflow-wrap:anywhere]">{nameOf(table)}</code>
}

/** Returns what is open of a table, in words. */
function factsOf({
  columns,
  deletedColumn,
  ownerColumn,
  ownerHolds,
  groupsOnly,
  groups,
  insertColumns,
  updateColumns,
  historyTable,
}: OpenedTable): string {
  const names = groups.map(({ name }) => name).join(', ')
  return [
    `Columns: ${columns.join(', ')}.`,
    ...(deletedColumn === null ? [] : [`Rows where ${deletedColumn} is set are left out.`]),
    ...(ownerColumn === null || ownerHolds === null
      ? []
      : [
          `Members read only the rows where ${ownerColumn} has their ${rowOwnerWords[ownerHolds].toLowerCase()}.`,
        ]),
    ...(insertColumns.length > 0 ? [`New rows may set: ${insertColumns.join(', ')}.`] : []),
    ...(updateColumns.length > 0 ? [`May be changed: ${updateColumns.join(', ')}.`] : []),
    ...(historyTable === null ? [] : [`The history of its records is in ${historyTable}.`]),
    ...(groupsOnly ? [`Only for ${names || 'admins'}.`] : []),
  ].join(' ')
}
