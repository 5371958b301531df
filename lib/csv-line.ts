/** Spreadsheets run what begins like this; a quote in front makes it text. */
const startsFormula = /^[=+\-@\t\r]/
/** Where a spreadsheet that separates by something else than commas, as many countries' do, begins a formula. */
const startsFormulaInside = /([;\t|\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@])/g

/** One record of RFC 4180, with its line end; no cell is a formula to a spreadsheet. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`
}

function csvCell(text: string): string {
  const inside = text.replace(startsFormulaInside, "$1'")
  const safe = startsFormula.test(text) ? `'${inside}` : inside
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
