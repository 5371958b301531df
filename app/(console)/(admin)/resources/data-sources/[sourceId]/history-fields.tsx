import { FormField } from '@/components/forms/form-field'
import type { FoundTable, OpenedTable } from '@/lib/domains/data-sources/shared/opened-table'
import type { FieldShape } from '@/lib/shape/field-shape'
import { namesAsChoices, pickedFrom } from './table-fields'

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
          <FormField name="historyKey" shape={columnField('historyKey', columns)} />
          <FormField name="historyAt" shape={columnField('historyAt', columns)} />
          <FormField name="historyWho" shape={optionalField('historyWho', columns)} />
          <FormField name="historyKind" shape={optionalField('historyKind', columns)} />
        </>
      )}
    </>
  )
}

/** Returns the field of the table. One that was closed since stays a choice, so that a person sees it. */
function tableField(names: readonly string[], picked: string | null): FieldShape {
  const all = picked === null || names.includes(picked) ? names : [picked, ...names]
  return {
    ...pickedFrom('historyTable', namesAsChoices(all, 'None')),
    search: 'Search tables',
  }
}

type Name = 'historyKey' | 'historyAt' | 'historyWho' | 'historyKind'

function columnField(name: Name, columns: readonly string[]): FieldShape {
  return { ...pickedFrom(name, namesAsChoices(columns)), placeholder: 'Pick one' }
}

function optionalField(name: Name, columns: readonly string[]): FieldShape {
  return pickedFrom(name, namesAsChoices(columns, 'No such column'))
}
