const space =
  '\\t\\n\\x0b\\f\\r \\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const notSpace =
  '\\x00-\\x08\\x0e-\\x1f\\x21-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const anything = '\\x00-\\x{10ffff}'

/** The long names of general categories, and the binary properties that both engines know. */
const categories: ReadonlyMap<string, string> = new Map([
  ...'L Lu Ll Lt LC Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co Cn'
    .concat(' Any Alphabetic Uppercase Lowercase White_Space Emoji Emoji_Presentation')
    .split(' ')
    .map((name): [string, string] => [name, name]),
  ...Object.entries({
    Letter: 'L',
    Uppercase_Letter: 'Lu',
    Lowercase_Letter: 'Ll',
    Titlecase_Letter: 'Lt',
    Modifier_Letter: 'Lm',
    Other_Letter: 'Lo',
    Mark: 'M',
    Nonspacing_Mark: 'Mn',
    Number: 'N',
    Decimal_Number: 'Nd',
    digit: 'Nd',
    Punctuation: 'P',
    punct: 'P',
    Dash_Punctuation: 'Pd',
    Symbol: 'S',
    Math_Symbol: 'Sm',
    Currency_Symbol: 'Sc',
    Separator: 'Z',
    Space_Separator: 'Zs',
    Other: 'C',
    Control: 'Cc',
    cntrl: 'Cc',
    Format: 'Cf',
  }),
])

const scripts: ReadonlySet<string> = new Set(
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Hangul Han Hebrew Hiragana'
    .concat(' Kannada Katakana Khmer Latin Malayalam Sinhala Tamil Telugu Thai Tibetan')
    .split(' '),
)

/** Returns how RE2 writes a token outside of a class. Expects a token of a valid expression. */
export function writtenToken(token: string): string {
  if (token === '.') return '[^\\n\\r\\x{2028}\\x{2029}]'
  if (token === '^' || token === '$') return token
  if (token === '\\b' || token === '\\B') return token
  if (/^\\([1-9]|k)/.test(token)) throw new Error('it refers back to a group')
  return token.startsWith('[') ? writtenClass(token) : (setOf(token, true) ?? writtenCode(token))
}

const classToken =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|.)|./gsu

/** Returns a class with each character by its number, so that none of them means anything to RE2. */
function writtenClass(text: string): string {
  const isNegated = text.startsWith('[^')
  const tokens = text.slice(isNegated ? 2 : 1, -1).match(classToken) ?? []
  if (tokens.length === 0) return isNegated ? `[${anything}]` : `[^${anything}]`
  let written = ''
  for (let at = 0; at < tokens.length; ) {
    const [token = '', dash, end] = tokens.slice(at, at + 3)
    const isRange = dash === '-' && end !== undefined
    written += setOf(token, false) ?? writtenCode(token)
    if (isRange) written += `-${writtenCode(end)}`
    at += isRange ? 3 : 1
  }
  return `[${isNegated ? '^' : ''}${written}]`
}

/** Returns how RE2 writes an escape that stands for many characters; null = it stands for one. */
function setOf(token: string, isAlone: boolean): string | null {
  const enclosed = (text: string) => (isAlone ? `[${text}]` : text)
  if (/^\\[dDwW]$/.test(token)) return token
  if (token === '\\s') return enclosed(space)
  if (token === '\\S') return enclosed(notSpace)
  const [, sign, kind, name = ''] = /^\\([pP])\{(?:(\w+)=)?(\w+)\}$/.exec(token) ?? []
  if (sign === undefined) return null
  if (kind === undefined && name === 'ASCII') {
    return enclosed(sign === 'p' ? '\\x00-\\x7f' : '\\x{80}-\\x{10ffff}')
  }
  const known = /^s/i.test(kind ?? '') ? scriptOf(kind, name) : categories.get(name)
  if (known === undefined) throw new Error(`it names ${token}`)
  return `\\${sign}{${known}}`
}

function scriptOf(kind: string | undefined, name: string): string | undefined {
  return (kind === 'Script' || kind === 'sc') && scripts.has(name) ? name : undefined
}

const controls: ReadonlyMap<string, number> = new Map(
  Object.entries({ t: 9, n: 10, v: 11, f: 12, r: 13, b: 8, '0': 0 }),
)

function writtenCode(token: string): string {
  return `\\x{${codeOf(token).toString(16)}}`
}

/** Returns the character that a token stands for. `\b` is one in classes only. */
function codeOf(token: string): number {
  if (!token.startsWith('\\')) return token.codePointAt(0) ?? 0
  const pair = /^\\u(.{4})\\u(.{4})$/.exec(token)
  const units = pair?.slice(1).map((hex) => Number.parseInt(hex, 16))
  if (units) return String.fromCharCode(...units).codePointAt(0) ?? 0
  const hex = /^\\[ux]\{?([\da-fA-F]+)\}?$/.exec(token)?.[1]
  if (hex !== undefined) return Number.parseInt(hex, 16)
  const letter = /^\\c([a-zA-Z])$/.exec(token)?.[1]
  if (letter !== undefined) return letter.charCodeAt(0) % 32
  return controls.get(token.slice(1)) ?? token.codePointAt(1) ?? 0
}
