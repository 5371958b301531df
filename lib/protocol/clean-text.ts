// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g

/** Text fit for a model and the database: no NUL, DEL or C0 controls but tab, newline and return; no lone surrogate (SPEC T5a). */
export function cleanText(text: string): string {
  return text.replace(controls, '').toWellFormed()
}

/** The same for a name the model gave: what is taken out leaves a mark, so that a bad name never becomes a good one (SPEC T9). */
export function cleanName(name: string): string {
  const kept = name.length > 200 ? `${name.slice(0, 200)}\u2026` : name
  return kept.replace(controls, '\uFFFD').toWellFormed()
}

/**
 * The same for the model's JSON text. The mark of a C0 control is invalid inside and outside of a JSON string, as
 * the control was, so that text which was no JSON never becomes JSON (SPEC R11). DEL is legal inside a string.
 */
export function cleanArguments(text: string): string {
  return text
    .replace(controls, (control) => (control === '\x7f' ? '\uFFFD' : '\uFFFD\t'))
    .toWellFormed()
}
