const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  middot: '·',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  euro: '€',
  copy: '©',
  reg: '®',
  trade: '™',
  szlig: 'ß',
}

/** The signs that names of letters end with. */
const accents: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  cedil: '\u0327',
}

const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi

/** Returns a text of XML or HTML with its numbers of characters and the usual names undone. Other names stay as they are. */
export function unescaped(text: string): string {
  return text.replace(entity, (written, ...found) => {
    const [decimal, hex, name]: (string | undefined)[] = found
    if (name !== undefined) return characterOf(name) ?? written
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code).toWellFormed() : written
  })
}

function characterOf(name: string): string | undefined {
  if (Object.hasOwn(named, name)) return named[name]
  const accent = name.slice(1)
  return Object.hasOwn(accents, accent)
    ? `${name.charAt(0)}${accents[accent]}`.normalize('NFC')
    : undefined
}
