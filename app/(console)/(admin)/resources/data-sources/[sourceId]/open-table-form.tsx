'use client'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import {
  type FoundTable,
  hiddenWords,
  type OpenedTable,
  RowOwner,
  rowOwnerWords,
} from '@/lib/domains/data-sources/shape'
import { choicesOf, type FieldShape } from '@/lib/shape/field-shape'
import { reasonField } from '@/lib/shape/reason-words'
import { visibleText } from '@/lib/words/clean-text'
import { openSourceTable } from '../actions'
import { HistoryFields, historyTables, historyValues, sentHistory } from './history-fields'

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
  const known = new Set(columns.map((column) => column.name))
  const form = useActionForm({
    values: {
      columns: (opened?.columns ?? usualColumns(table)).filter((column) => known.has(column)),
      deletedColumn: markAtFirst(table),
      ownerColumn: opened?.ownerColumn ?? null,
      ownerHolds: opened?.ownerHolds ?? null,
      insertColumns: opened?.insertColumns ?? [],
      updateColumns: opened?.updateColumns ?? [],
      ...historyValues(opened),
      groupsOnly: opened?.groupsOnly ?? false,
      groupIds: opened?.groups.map(({ id }) => id) ?? [],
      reason: '',
    },
    send: ({ ownerHolds, insertColumns, updateColumns, deletedColumn, ...values }) =>
      openSourceTable({
        id: sourceId,
        schema,
        name,
        ...values,
        insertColumns: insertColumns.filter((column) => values.columns.includes(column)),
        updateColumns: updateColumns.filter((column) => values.columns.includes(column)),
        ...(typeof deletedColumn !== 'boolean' && { deletedColumn }),
        ownerHolds: RowOwner.nullable().parse(ownerHolds),
        ...sentHistory(values),
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
      description="Tools read the columns that are ticked, and nothing else. Columns that are added to the table later stay closed."
      button={opened ? 'Save' : 'Open table'}
      failed={opened ? 'The table was not saved' : 'The table was not opened'}
      onClose={onClose}
    >
      <FormField name="columns" shape={columnsField(table)} />
      {!isConsole && <FormField name="deletedColumn" shape={deletedField(table)} />}
      <FormField name="ownerColumn" shape={ownerField(table)} />
      {ownerColumn !== null && <FormField name="ownerHolds" shape={holdsField} />}
      {isConsole && (
        <p className="text-muted text-sm">Tools never write the console&apos;s own database.</p>
      )}
      {insertable.length > 0 && (
        <FormField name="insertColumns" shape={insertField(table, insertable)} />
      )}
      {changeable.length > 0 && (
        <FormField name="updateColumns" shape={updateField(table, changeable)} />
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
  return {
    kind: 'checkboxes',
    label: 'Columns that tools may read',
    isColumn: true,
    choices: columns.map(({ name, type, looksSecret }) => ({
      value: name,
      label: visibleText(name),
      hint: `${visibleText(type)}${key.includes(name) ? ', key' : ''}${looksSecret ? ' – looks like a secret' : ''}`,
    })),
  }
}

function insertField(table: FoundTable, names: readonly string[]): FieldShape {
  return {
    kind: 'checkboxes',
    label: 'Columns of new rows that tools may set',
    hint: 'Without one, tools insert no rows. Each call waits for approval.',
    isColumn: true,
    choices: typedChoices(table, names),
  }
}

function updateField(table: FoundTable, names: readonly string[]): FieldShape {
  return {
    kind: 'checkboxes',
    label: 'Columns that tools may change',
    hint: 'Without one, tools change no rows. Never the key, the mark of deleted rows or the owner. Each call waits for approval.',
    isColumn: true,
    choices: typedChoices(table, names),
  }
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
  const choices = columns.map(({ name }) => ({ value: name, label: visibleText(name) }))
  return [{ value: null, label: none }, ...choices]
}

/** Returns the mark of deleted rows as the form begins; true = that which was found by its name. */
function markAtFirst({ opened, deletedColumn }: FoundTable): string | null | boolean {
  return opened ? opened.deletedColumn : deletedColumn !== null || null
}

function deletedField(table: FoundTable): FieldShape {
  return {
    kind: 'select',
    label: 'Mark of deleted rows',
    hint: 'Rows where this column is set are never read: not empty, not false, not 0, not N, not 1970.',
    choices: [
      ...(table.deletedColumn === null || table.opened
        ? []
        : [{ value: true, label: `Found: ${visibleText(table.deletedColumn)}` }]),
      ...columnChoices(table, 'No such column'),
    ],
    search: 'Search columns',
  }
}

function ownerField(table: FoundTable): FieldShape {
  return {
    kind: 'select',
    label: 'Column of the owner',
    hint: 'Members read only the rows where it names them. Admins read all.',
    choices: columnChoices(table, 'Members read all rows'),
    search: 'Search columns',
  }
}

const holdsField: FieldShape = {
  kind: 'select',
  label: 'What that column holds',
  placeholder: 'Pick one',
  choices: choicesOf(rowOwnerWords),
}

export const membersField = {
  kind: 'select',
  label: 'Members who may read it',
  choices: [
    { value: false, label: 'Everybody who may use the data source' },
    { value: true, label: 'Only these groups' },
  ],
} satisfies FieldShape

export function groupsField(groups: Props['groups']): FieldShape {
  return {
    kind: 'checkboxes',
    label: 'Groups that may read it',
    hint:
      groups.length > 0
        ? 'Without one, only admins read it.'
        : 'There is no group yet, so only admins read it.',
    isColumn: true,
    choices: groups.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
  }
}
