import { z } from 'zod'
import { csvLine } from './csv-line'

export const ExportFormat = z.enum(['csv', 'ndjson'])
export type ExportFormat = z.infer<typeof ExportFormat>

type Cell = string | number | boolean | object | null

/** Reads one page from behind a cursor on; `nextCursor` null = that was the last. */
type ReadPage<Row> = (
  cursor: string | undefined,
) => Promise<{ rows: Row[]; nextCursor: string | null }>

/** A list as text to take along, a page at a time: CSV (RFC 4180, no cell is a formula) with these columns, or a JSON object a line. */
export async function* exportPieces<Row extends Record<string, Cell>>(
  format: ExportFormat,
  columns: readonly (keyof Row & string)[],
  readPage: ReadPage<Row>,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(columns)
  const write =
    format === 'csv'
      ? (row: Row) => csvLine(columns.map((column) => cellText(row[column] ?? null)))
      : (row: Row) => `${JSON.stringify(row)}\n`
  let cursor: string | undefined
  do {
    const page = await readPage(cursor)
    if (page.rows.length > 0) yield page.rows.map(write).join('')
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}

function cellText(value: Cell): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
