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

/** Cyrillic, Greek, Armenian and other letters that look Latin, and what they look like. */
const foreign = 'аеорсухіѕјԁһӏтмпвгԛԝьαεορνικτυχօսոɡɩıʟᴀᴄᴇᴏᴜ'
const latin = 'aeopcyxisjdhltmnbrqwbaeopviktuxoungiilaceou'
const lookalikes = new Map([...foreign].map((letter, index) => [letter, latin.charAt(index)]))

/** Scripts whose letters look like no Latin one; most text that is not ASCII is theirs. */
const neverLatin = /[\u3041-\u9fff\uac00-\ud7a3\u0590-\u08ff\u0900-\u0dff]/

/**
 * Returns the plain form of a character that is not ASCII: letters or digits without width, style and accent (`ａ`, `𝐚`,
 * `á`, Cyrillic `а` become `a`), other letters unchanged. Empty for separators, combining and invisible characters.
 */
export function plainCharacter(character: string): string {
  let plain = known.get(character)
  if (plain === undefined) {
    plain = readPlain(character)
    if (known.size < mostKnown) known.set(character, plain)
  }
  return plain
}

/** A text uses few characters; the cache is limited, so that no text can fill the memory. */
const known = new Map<string, string>()
const mostKnown = 4096

function readPlain(character: string): string {
  if (neverLatin.test(character)) return character
  const letters = character.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '')
  return [...letters].map((letter) => lookalikes.get(letter.toLowerCase()) ?? letter).join('')
}
