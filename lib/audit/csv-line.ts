/** Spreadsheets run what begins like this; a quote in front makes it text. */
const startsFormula = /^[=+\-@\t\r]/

/** One record of RFC 4180, with its line end; no cell is a formula to a spreadsheet. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`
}

function csvCell(text: string): string {
  const safe = startsFormula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
