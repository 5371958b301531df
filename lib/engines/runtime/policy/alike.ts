import { plainCharacter } from '@/lib/words/clean-text'

/** Characters without a plain form that look like these. Letters have theirs in `plainCharacter`. */
const marks: readonly (readonly [look: string, like: RegExp])[] = [
  ['-', /[\p{Pd}\u2212\u2043\u02d7]/u],
  ['/', /[\u2044\u2215\u29f8\u2571\u1735]/u],
  ['\\', /[\u2216\u29f5\u29f9\u2572]/u],
  ['.', /[\u3002\u0701\u0702\u06d4\ua4f8]/u],
  [':', /[\ua789\u2236\u0589\u05c3\u02d0\ufe30]/u],
  ["'", /[\u2018\u2019\u201b\u2032\u02bc\u02b9\u02bb\u00b4\u0060]/u],
  ['"', /[\u201c\u201d\u201f\u2033\u02ba]/u],
]

/**
 * Returns a text as a reader sees it, for comparisons: letters, digits and signs that look like those of ASCII become these, invisible
 * characters and accents go, and every separator is a space. Capital letters stay.
 */
export function plainForm(text: string): string {
  return text.replace(/[^\n\t\x20-\x7e]/gu, plainSign)
}

/** Returns the plain form in small letters, without spaces, and with one sign for each of `0o`, `1il|` and `rn m`. */
export function looseForm(text: string): string {
  return plainForm(text)
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/[1i|]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('rn', 'm')
}

/** Letters that no standard takes apart, each before the one that it looks like: small capitals and those of the Cherokee. */
const letters = new Map(
  ['ʙbᴅdꜰfɢgʜhɪiᴊjᴋkᴍmɴnᴘpꞯqʀrꜱsᴛtᴠvᴡwʏyᴢz', 'ᎪaᏴbᏟcᎠdᎬeᏀgᎻhᏆiᎫjᏦkᏞlᎷmᏢpᎡrᏚsᎢtᏙvᎳwᎩyᏃz'].flatMap(
    (pairs) => [...pairs.matchAll(/(.)(.)/gu)].map(([, look = '', like = '']) => [look, like]),
  ),
)

/** First code points of the letters A to Z in dark circles, in dark squares and for flags. */
const enclosed = [0x1f150, 0x1f170, 0x1f1e6]

function plainSign(character: string): string {
  if (/\p{Default_Ignorable_Code_Point}/u.test(character)) return ''
  if (/[\p{Z}\u2800]/u.test(character)) return ' '
  const letter = letters.get(character) ?? enclosedLetter(character)
  if (letter !== undefined) return letter
  if (/\p{Nd}/u.test(character)) return String(digitOf(character))
  if (/\p{L}/u.test(character)) return plainCharacter(character)
  // One that is composed, such as a sign of full width, is what it is composed of.
  const plain = character.normalize('NFKD').replace(/[\p{M}\p{C}]/gu, '')
  return [...plain].map((sign) => marks.find(([, like]) => like.test(sign))?.[0] ?? sign).join('')
}

function enclosedLetter(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0
  const first = enclosed.find((each) => code >= each && code < each + 26)
  return first === undefined ? undefined : String.fromCodePoint(0x61 + code - first)
}

/** Returns the value of a decimal digit of any script: the digits of each stand in a row, from zero on. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return (code - zero) % 10
}
