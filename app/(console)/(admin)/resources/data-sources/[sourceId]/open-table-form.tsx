'use client'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import {
  type FoundTable,
  hiddenWords,
  noHistory,
  type OpenedTable,
  openedTables,
  openingOf,
} from '@/lib/domains/data-sources/shared/opened-table'
import type { FieldShape } from '@/lib/shape/field-shape'
import { reasonField } from '@/lib/shape/reason-words'
import { visibleText } from '@/lib/words/clean-text'
import { openSourceTable } from '../actions'
import { HistoryFields, historyTables } from './history-fields'
import { namesAsChoices, pickedFrom, tickedFrom } from './table-fields'

const { ownerHolds, groupsOnly: membersField } = openedTables.fields

type Props = {
  sourceId: string
  isConsole: boolean
  table: FoundTable
  /** All tables of the source that are open. */
  opened: readonly OpenedTable[]
  groups: readonly { id: string; name: string }[]
  onClose: () => void
}

/** Shows the form that opens columns of a table, or changes which are open. Columns that look secret are not ticked at first. */
export function OpenTableForm({ sourceId, isConsole, table, groups, onClose, ...props }: Props) {
  const { schema, name, columns, opened } = table
  const called = visibleText(`${schema}.${name}`)
  const opening = openingOf(opened)
  const known = new Set(columns.map((column) => column.name))
  const form = useActionForm({
    values: {
      ...opening,
      columns: (opened ? opening.columns : usualColumns(table)).filter((name) => known.has(name)),
      deletedColumn: markAtFirst(table),
      reason: '',
    },
    send: ({ deletedColumn, ...values }) =>
      openSourceTable({
        ...values,
        id: sourceId,
        schema,
        name,
        insertColumns: values.insertColumns.filter((column) => values.columns.includes(column)),
        updateColumns: values.updateColumns.filter((column) => values.columns.includes(column)),
        ...(typeof deletedColumn !== 'boolean' && { deletedColumn }),
        ...(values.historyTable === null && noHistory),
        groupIds: values.groupsOnly ? values.groupIds : [],
      }),
    done: opened ? `Saved ${called}` : `Opened ${called}`,
    details: ({ deletedColumn: mark, hidden }) =>
      mark === null ? '' : hiddenWords(visibleText(mark), hidden),
    onDone: onClose,
  })
  const ownerColumn = form.watch('ownerColumn')
  const groupsOnly = form.watch('groupsOnly')
  const read = form.watch('columns')
  const insertable = table.writable.filter((column) => read.includes(column))
  const changeable = insertable.filter((column) => !table.key.includes(column))
  return (
    <FormDialog
      form={form}
      title={opened ? `Edit ${called}` : `Open ${called}`}
      description="Tools read only these columns. New columns stay closed."
      button={opened ? 'Save' : 'Open table'}
      failed={opened ? 'The table was not saved' : 'The table was not opened'}
      onClose={onClose}
    >
      <FormField name="columns" shape={columnsField(table)} />
      {!isConsole && <FormField name="deletedColumn" shape={deletedField(table)} />}
      <FormField
        name="ownerColumn"
        shape={pickedFrom('ownerColumn', columnChoices(table, 'Members read all rows'))}
      />
      {ownerColumn !== null && <FormField name="ownerHolds" shape={ownerHolds} />}
      {isConsole && <p className="text-muted text-sm">Tools never write this database.</p>}
      {insertable.length > 0 && (
        <FormField
          name="insertColumns"
          shape={tickedFrom('insertColumns', typedChoices(table, insertable))}
        />
      )}
      {changeable.length > 0 && (
        <FormField
          name="updateColumns"
          shape={tickedFrom('updateColumns', typedChoices(table, changeable))}
        />
      )}
      {!isConsole && (
        <HistoryFields
          picked={form.watch('historyTable')}
          hasKey={table.key.length === 1 && table.key.every((column) => read.includes(column))}
          tables={historyTables(props.opened, table)}
        />
      )}
      <FormField name="groupsOnly" shape={membersField} />
      {groupsOnly && <FormField name="groupIds" shape={groupsField(groups)} />}
      <FormField name="reason" shape={reasonField} />
    </FormDialog>
  )
}

/** Returns the columns of a table that look like no secret. */
export function usualColumns({ columns }: FoundTable): string[] {
  return columns.filter(({ looksSecret }) => !looksSecret).map(({ name }) => name)
}

function columnsField({ columns, key }: FoundTable): FieldShape {
  return tickedFrom(
    'columns',
    columns.map(({ name, type, looksSecret }) => ({
      value: name,
      label: visibleText(name),
      hint: `${visibleText(type)}${key.includes(name) ? ', key' : ''}${looksSecret ? ' – looks like a secret' : ''}`,
    })),
  )
}

function typedChoices({ columns }: FoundTable, names: readonly string[]) {
  return columns
    .filter(({ name }) => names.includes(name))
    .map(({ name, type }) => ({
      value: name,
      label: visibleText(name),
      hint: visibleText(type),
    }))
}

function columnChoices({ columns }: FoundTable, none: string) {
  return namesAsChoices(
    columns.map(({ name }) => name),
    none,
  )
}

/** Returns the mark of deleted rows as the form begins; true = that which was found by its name. */
function markAtFirst({ opened, deletedColumn }: FoundTable): string | null | boolean {
  return opened ? opened.deletedColumn : deletedColumn !== null || null
}

function deletedField(table: FoundTable): FieldShape {
  const found =
    table.deletedColumn === null || table.opened
      ? []
      : [{ value: true as const, label: `Found: ${visibleText(table.deletedColumn)}` }]
  return pickedFrom('deletedColumn', [...found, ...columnChoices(table, 'No such column')])
}

export function groupsField(groups: Props['groups']): FieldShape {
  const field = tickedFrom(
    'groupIds',
    groups.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
  )
  return groups.length > 0 ? field : { ...field, hint: 'No groups yet: only admins read it.' }
}
