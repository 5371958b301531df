import 'server-only'
import { z } from 'zod'

const types: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
}

/**
 * Returns an answer that saves pieces of text as the file `toolgate-<name>-<day>.<format>`. Pieces are read only as
 * fast as the client takes them.
 */
export function download(
  name: string,
  format: ExportFormat,
  pieces: AsyncGenerator<string>,
): Response {
  const day = new Date().toISOString().slice(0, 10)
  return new Response(toStream(pieces), {
    headers: {
      'content-type': types[format],
      'content-disposition': `attachment; filename="toolgate-${name}-${day}.${format}"`,
      'x-content-type-options': 'nosniff',
    },
  })
}

function toStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}

export const ExportFormat = z.enum(['csv', 'ndjson'])
export type ExportFormat = z.infer<typeof ExportFormat>

type Cell = string | number | boolean | object | null

/** Reads one page after a cursor; `nextCursor` null = that was the last. */
type ReadPage<Row> = (
  cursor: string | undefined,
) => Promise<{ rows: Row[]; nextCursor: string | null }>

/** Text of an export, in pieces. */
export const ExportPieces = z.custom<AsyncGenerator<string>>()

/**
 * Yields a list as text, a page at a time: CSV (RFC 4180, no cell is a formula) with these columns, or a JSON object a
 * line.
 */
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

/** With the wide and small forms, which spreadsheets of East Asian languages treat alike. */
const sign = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b]'
/** Characters that a spreadsheet may ignore at the beginning: spaces, controls and invisible characters. */
const unseen = '[\\s\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}\\p{Default_Ignorable_Code_Point}"]'
/** Spreadsheets execute a cell that begins like this; a quote before it makes it text. */
const startsFormula = new RegExp(`^(?:${unseen}*${sign}|[\\t\\r])`, 'u')
/** Start of a formula for a spreadsheet that, as in many countries, does not separate cells by commas. */
const startsFormulaInside = new RegExp(
  `([;\\t|\\r\\n])(?=(?:(?![\\t\\r\\n])${unseen})*${sign})`,
  'gu',
)

/** Returns one record of RFC 4180 with its line end. No cell is a formula to a spreadsheet. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`
}

function csvCell(text: string): string {
  const inside = text.replace(startsFormulaInside, "$1'")
  const safe = startsFormula.test(text) ? `'${inside}` : inside
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
