import {
  type History,
  noHistory,
  type OpenedTable,
} from '@/lib/domains/data-sources/shared/opened-table'
import type { StoredSource } from '@/lib/domains/data-sources/stored'
import { nameOf } from '@/lib/engines/tools/data/catalogue'
import { ValidationError } from '@/lib/kernel/errors'

type Opening = History & { schema: string; name: string }

/**
 * Returns which table says what happened to the records of another one. Throws ValidationError where it cannot: it must be open
 * itself, with the columns that are named, and a record must have a key of one column.
 */
export function checkHistory(
  source: StoredSource,
  { key, columns }: Pick<OpenedTable, 'key' | 'columns'>,
  { schema, name, historyTable, historyKey, historyAt, historyWho, historyKind }: Opening,
): History {
  if (historyTable === null) return noHistory
  if (source.kind === 'console') throw new ValidationError({ historyTable: ofConsole })
  const [only, ...others] = key
  if (only === undefined || others.length > 0 || !columns.includes(only)) {
    throw new ValidationError({ historyTable: needsKey })
  }
  if (historyTable === nameOf({ schema, name })) {
    throw new ValidationError({ historyTable: 'Pick another table.' })
  }
  const table = source.tables.find((each) => nameOf(each) === historyTable)
  if (!table) throw new ValidationError({ historyTable: 'Open this table first.' })
  if (historyKey === null) throw new ValidationError({ historyKey: 'Pick this column.' })
  if (historyAt === null) throw new ValidationError({ historyAt: 'Pick this column.' })
  const named = { historyKey, historyAt, historyWho, historyKind }
  for (const [field, column] of Object.entries(named)) {
    if (column === null || table.columns.includes(column)) continue
    throw new ValidationError({ [field]: 'The table of the history has no such open column.' })
  }
  return { historyTable, ...named }
}

const ofConsole = "The history of the console's own records comes from its audit."
const needsKey =
  'Only records with a key of one column have a history, and tools must be able to read it.'
