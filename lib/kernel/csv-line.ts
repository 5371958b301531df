/** Also the wide and the small forms, which spreadsheets of East Asian languages take for the same. */
const sign = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b]'
/** What a spreadsheet may drop before it looks: spaces, controls, and characters that nobody sees. */
const unseen = '[\\s\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}\\p{Default_Ignorable_Code_Point}"]'
/** Spreadsheets run what begins like this; a quote in front makes it text. */
const startsFormula = new RegExp(`^(?:${unseen}*${sign}|[\\t\\r])`, 'u')
/** Where a spreadsheet that separates by something else than commas, as many countries' do, begins a formula. */
const startsFormulaInside = new RegExp(
  `([;\\t|\\r\\n])(?=(?:(?![\\t\\r\\n])${unseen})*${sign})`,
  'gu',
)

/** One record of RFC 4180, with its line end; no cell is a formula to a spreadsheet. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`
}

function csvCell(text: string): string {
  const inside = text.replace(startsFormulaInside, "$1'")
  const safe = startsFormula.test(text) ? `'${inside}` : inside
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
