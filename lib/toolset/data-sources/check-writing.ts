import type { StoredSource } from '@/lib/domains/data-sources/stored'
import type { CatalogueTable } from '@/lib/engines/tools/data/catalogue'
import { ValidationError } from '@/lib/kernel/errors'

type Writing = {
  columns: readonly string[]
  insertColumns: string[]
  updateColumns: string[]
  deletedColumn: string | null
  ownerColumn: string | null
}

/**
 * Returns which columns of a table tools may set of new rows and change of rows. Throws ValidationError for those that cannot be
 * opened for it: what is written must be readable, so that a person sees it before and after.
 */
export function checkWriting(
  { kind }: StoredSource,
  table: CatalogueTable,
  opening: Writing,
): { insertColumns: string[]; updateColumns: string[] } {
  const { columns, deletedColumn, ownerColumn, insertColumns, updateColumns } = opening
  const isOpen = (name: string) => columns.includes(name) && table.writable.includes(name)
  const parts = [
    ['insertColumns', insertColumns, [deletedColumn]],
    ['updateColumns', updateColumns, [deletedColumn, ownerColumn, ...table.key]],
  ] as const
  for (const [field, names, kept] of parts) {
    if (names.length === 0) continue
    if (kind === 'console') throw new ValidationError({ [field]: neverOfConsole })
    if (table.key.length === 0 || !table.key.every((name) => columns.includes(name))) {
      throw new ValidationError({ [field]: needsKey })
    }
    const wrong = names.filter((name) => !isOpen(name) || kept.includes(name))
    if (wrong.length > 0) {
      throw new ValidationError({
        [field]: `These columns cannot be written: ${wrong.join(', ')}. Leave them out.`,
      })
    }
  }
  return { insertColumns, updateColumns }
}

const neverOfConsole = "Tools never write the console's own database."
const needsKey =
  'Tools write only tables with a key, all columns of which they may read: it says which row was written.'
