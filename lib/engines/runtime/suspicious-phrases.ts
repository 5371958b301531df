import { plainCharacter } from './plain-character'
import { possiblePhrases } from './possible-phrases'

/** Invisible characters that split words apart for a reader of bytes but not for a model. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** Tag characters spell ASCII that nobody sees; a flag of a region is the one honest use of them. */
const tags = /[\u{e0020}-\u{e007e}]/gu
const regionFlags = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/gu

/** Text that is displayed other than it reads, or not at all: overrides of direction, tags, bytes in selectors. */
const hidden =
  /[\u202d\u202e]|[\u{e0020}-\u{e007e}]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4}|[\u200b-\u200d\u2060-\u2064]{8}/u

/** What follows an override of direction is written backwards, up to its end. */
const backwards = /\u202e([^\u202c\u2069\n]{1,2000})/g

/** One phrase again and again says no more than a handful. */
const mostOfOne = 20

/**
 * Names of suspicious phrases in untrusted text, once for each place and at most 20 times each, to be flagged in the
 * trace; the text itself is never changed (SPEC T6). A flag is a hint for the reader, not a defence.
 */
export function suspiciousPhrases(text: string): string[] {
  const isAscii = Buffer.byteLength(text) === text.length
  const plain = isAscii ? withSingleBlanks(text.toLowerCase()) : normalise(text)
  const flags = possiblePhrases(plain).flatMap(({ name, pattern }) => {
    const times = Math.min(mostOfOne, count(plain, pattern))
    return Array.from({ length: times }, () => name)
  })
  return isAscii || !hidden.test(text.replace(regionFlags, '')) ? flags : [...flags, 'hidden-text']
}

function count(text: string, pattern: RegExp): number {
  let times = 0
  for (const _ of text.matchAll(pattern)) if (++times === mostOfOne) break
  return times
}

function normalise(text: string): string {
  const letters = `${plainLetters(text)}${turned(text)}`
  return letters.toLowerCase().replace(/\s{2,}|[^\S ]/g, ' ')
}

/** The same for ASCII. Most white space is a single blank already; looking for the rest is what keeps this cheap. */
function withSingleBlanks(text: string): string {
  let flat = text
  for (const space of ['\n', '\t', '\r', '\v', '\f']) flat = flat.replaceAll(space, ' ')
  return flat.includes('  ') ? flat.replace(/ {2,}/g, ' ') : flat
}

function plainLetters(text: string): string {
  return text
    .replace(regionFlags, '')
    .replace(tags, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(/[^\0-\x7f\p{P}\p{S}\s]/gu, plainCharacter)
    .replace(/[\u2018\u2019\u02bc\u00b4]/g, "'")
}

/** The parts that are written backwards, the right way round, each on a line of its own. */
function turned(text: string): string {
  return [...text.matchAll(backwards)]
    .map(([, part = '']) => `\n${plainLetters([...part].reverse().join(''))}`)
    .join('')
}
