import { FormField } from '@/components/forms/form-field'
import type { FoundTable, OpenedTable } from '@/lib/domains/data-sources/shape'
import type { FieldShape } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'

type History = Pick<
  OpenedTable,
  'historyTable' | 'historyKey' | 'historyAt' | 'historyWho' | 'historyKind'
>

/** Returns what the form begins with. */
export function historyValues(opened: OpenedTable | null): History {
  return {
    historyTable: opened?.historyTable ?? null,
    historyKey: opened?.historyKey ?? null,
    historyAt: opened?.historyAt ?? null,
    historyWho: opened?.historyWho ?? null,
    historyKind: opened?.historyKind ?? null,
  }
}

/** Returns what is sent: without a table, no columns of it. */
export function sentHistory(values: History): History {
  return values.historyTable === null ? historyValues(null) : historyOf(values)
}

function historyOf({ historyTable, historyKey, historyAt, historyWho, historyKind }: History) {
  return { historyTable, historyKey, historyAt, historyWho, historyKind }
}

/** The columns of a table that can have the history of another one, by its name. */
type HistoryTables = ReadonlyMap<string, readonly string[]>

/** Returns the opened tables that can have the history of this one. */
export function historyTables(
  opened: readonly OpenedTable[],
  { schema, name }: FoundTable,
): HistoryTables {
  const others = opened.filter((each) => each.schema !== schema || each.name !== name)
  return new Map(others.map((each) => [`${each.schema}.${each.name}`, each.columns]))
}

/** Asks for the table that says what happened to the records of another one, and for its columns. */
export function HistoryFields({
  picked,
  hasKey,
  tables,
}: {
  picked: string | null
  /** A record has a key of one column, which tools may read. */
  hasKey: boolean
  tables: HistoryTables
}) {
  if (picked === null && (!hasKey || tables.size === 0)) return null
  const columns = picked === null ? [] : (tables.get(picked) ?? [])
  return (
    <>
      <FormField name="historyTable" shape={tableField([...tables.keys()], picked)} />
      {picked !== null && (
        <>
          <FormField name="historyKey" shape={columnField('Column with the key', columns)} />
          <FormField name="historyAt" shape={columnField('Column with the time', columns)} />
          <FormField name="historyWho" shape={optionalField('Column with who did it', columns)} />
          <FormField
            name="historyKind"
            shape={optionalField('Column with what was done', columns)}
          />
        </>
      )}
    </>
  )
}

/** Returns the field of the table. One that was closed since stays a choice, so that a person sees it. */
function tableField(names: readonly string[], picked: string | null): FieldShape {
  const all = picked === null || names.includes(picked) ? names : [picked, ...names]
  return {
    kind: 'select',
    label: 'Table with the history of its records',
    hint: 'An open table in which each row says what happened to a record of this one.',
    choices: [
      { value: null, label: 'None' },
      ...all.map((name) => ({ value: name, label: visibleText(name) })),
    ],
    search: 'Search tables',
  }
}

function columnField(label: string, columns: readonly string[]): FieldShape {
  return {
    kind: 'select',
    label,
    placeholder: 'Pick one',
    choices: columns.map((name) => ({ value: name, label: visibleText(name) })),
    search: 'Search columns',
  }
}

function optionalField(label: string, columns: readonly string[]): FieldShape {
  const choices = columns.map((name) => ({ value: name, label: visibleText(name) }))
  return {
    kind: 'select',
    label,
    choices: [{ value: null, label: 'No such column' }, ...choices],
    search: 'Search columns',
  }
}
