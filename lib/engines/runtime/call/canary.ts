import { type RunStep, startOf } from '@/lib/engines/runtime/run-step'
import {
  type AskedInText,
  callTag,
  type ModelFinish,
  type WireToolCall,
} from '@/lib/protocol/model/message'
import type { CallView } from '@/lib/protocol/run/round-view'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { Denial } from '@/lib/protocol/tool'
import { plainCharacter } from '@/lib/words/clean-text'

/** One spelling of the canary, in letters and digits. */
export type Spelling = { text: string; ignoresCase: boolean }

type Range = { from: number; to: number }

/** Positions of the canary in a text, in order. From `openFrom` on, the text may be the start of one. */
export type CanarySearch = { found: Range[]; openFrom: number }

/**
 * A text without separators; `places()[i]` is the place of its character i in the original text. Places are computed
 * when first asked for, because nearly no text has a canary.
 */
type Folded = { text: string; places: () => readonly number[] }

/** Separators at the end of a stream before it goes on without waiting for more letters. */
const mostSeparators = 64

/**
 * Returns what is looked for in a run (SPEC T7): its canary with and without the first word, and its digits as base64
 * writes them at each of the three offsets. Empty for a run that planted no canary.
 */
export function canarySpellings(canary: string): readonly Spelling[] {
  const digits = /^canary-([0-9a-f]{16})$/.exec(canary)?.[1]
  if (digits === undefined) return []
  return [
    { text: `canary${digits}`, ignoresCase: true },
    { text: digits, ignoresCase: true },
    ...[digits, digits.toUpperCase()]
      .flatMap(insideBase64)
      .map((text) => ({ text, ignoresCase: false })),
  ]
}

type Start = RunEventOf<'run-start'>['data']

/** Cached, because every round of a run searches for the same. */
const spellingsOfRun = new WeakMap<Start, readonly Spelling[]>()

/** Returns what is looked for in the run of this step. */
export function spellingsOf(step: RunStep): readonly Spelling[] {
  const start = startOf(step.state())
  const known = spellingsOfRun.get(start) ?? canarySpellings(start.canary)
  spellingsOfRun.set(start, known)
  return known
}

/** Returns how base64 writes a text inside another one at each offset, without the characters that both share. */
function insideBase64(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('\0'.repeat(offset) + text).toString('base64')
    const firstOwn = Math.ceil((offset * 8) / 6)
    const afterOwn = Math.floor(((offset + text.length) * 8) / 6)
    return encoded.slice(firstOwn, afterOwn)
  })
}

/** Returns each place of the canary in a whole text, whatever its case and whatever separates its letters. */
function findCanary(text: string, spellings: readonly Spelling[]): Range[] {
  return spellings.length === 0 ? [] : rangesIn(fold(text), text, spellings)
}

/** Returns each place of the canary in a text that is still being written, and where the beginning of one may stand. */
export function searchCanary(text: string, spellings: readonly Spelling[]): CanarySearch {
  if (spellings.length === 0) return { found: [], openFrom: text.length }
  const folded = fold(text)
  const found = rangesIn(folded, text, spellings)
  const openFrom = Math.max(openPlace(folded, text, spellings), found.at(-1)?.to ?? 0)
  return { found, openFrom }
}

/** Returns where the beginning of a canary may stand at the end of a text; its length when there is none. */
function openPlace(folded: Folded, text: string, spellings: readonly Spelling[]): number {
  const length = openLength(folded.text, spellings)
  if (length === 0) return text.length
  const places = folded.places()
  const waits = text.length - (places.at(-1) ?? 0) <= mostSeparators
  return waits ? (places[folded.text.length - length] ?? text.length) : text.length
}

const beyondAscii = /[^\0-\x7f]/

/** Keeps letters and digits, and replaces characters beyond ASCII by the ones they look like. */
function fold(text: string): Folded {
  if (beyondAscii.test(text)) {
    const { kept, places } = foldEach(text)
    return { text: kept, places: () => places }
  }
  let places: readonly number[] | null = null
  const kept = text.replace(/[^a-zA-Z0-9]+/g, '')
  return {
    text: kept,
    places: () => {
      places ??= foldEach(text).places
      return places
    },
  }
}

function foldEach(text: string): { kept: string; places: number[] } {
  const kept: string[] = []
  const places: number[] = []
  let at = 0
  for (const character of text) {
    const plain = character < '\x80' ? plainAscii(character) : plainCharacter(character)
    if (plain !== '') kept.push(plain)
    for (let unit = 0; unit < plain.length; unit++) places.push(at)
    at += character.length
  }
  return { kept: kept.join(''), places }
}

function plainAscii(character: string): string {
  const isLetterOrDigit =
    (character >= 'a' && character <= 'z') ||
    (character >= '0' && character <= '9') ||
    (character >= 'A' && character <= 'Z')
  return isLetterOrDigit ? character : ''
}

function rangesIn(folded: Folded, text: string, spellings: readonly Spelling[]): Range[] {
  const lower = folded.text.toLowerCase()
  // No folded character has another length in lower case: the only one that would, İ, is folded to I.
  const searchedBy = ({ ignoresCase }: Spelling) => (ignoresCase ? lower : folded.text)
  const present = spellings.filter((spelling) => searchedBy(spelling).includes(spelling.text))
  if (present.length === 0) return []
  return merged(
    present.flatMap((spelling) => rangesOf(spelling.text, searchedBy(spelling), folded, text)),
  )
}

function rangesOf(wanted: string, searched: string, folded: Folded, source: string): Range[] {
  const ranges: Range[] = []
  const places = folded.places()
  let at = searched.indexOf(wanted)
  while (at >= 0) {
    const last = places[at + wanted.length - 1] ?? 0
    const width = (source.codePointAt(last) ?? 0) > 0xffff ? 2 : 1
    ranges.push({ from: places[at] ?? 0, to: last + width })
    at = searched.indexOf(wanted, at + wanted.length)
  }
  return ranges
}

/** Returns how many of the last characters may be the beginning of a spelling. */
function openLength(folded: string, spellings: readonly Spelling[]): number {
  let longest = 0
  for (const { text, ignoresCase } of spellings) {
    const tail = folded.slice(1 - text.length)
    const searched = ignoresCase ? tail.toLowerCase() : tail
    const first = text.charAt(0)
    let at = searched.indexOf(first)
    while (at >= 0 && !text.startsWith(searched.slice(at))) at = searched.indexOf(first, at + 1)
    if (at >= 0) longest = Math.max(longest, searched.length - at)
  }
  return longest
}

function merged(ranges: Range[]): Range[] {
  const whole: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = whole.at(-1)
    if (last && range.from < last.to) last.to = Math.max(last.to, range.to)
    else whole.push({ ...range })
  }
  return whole
}

/** Replaces the canary in what a model wrote: in journal, page, exports and the next request (SPEC T7). */
export const redactionMark = '[redacted: canary]'

/** Replaces arguments with the canary. It is JSON, so that every wire accepts it. */
export const redactedArguments = JSON.stringify({ redacted: redactionMark })

export const canaryDenial: Denial = {
  allowed: false,
  gate: 'canary',
  reason:
    'Its arguments contained the hidden mark of untrusted content, so a tool result may be steering the model. The arguments were not stored, and the call did not run.',
}

/** A model's turn without the canary, the places of the canary in words, and the calls that had it. */
export type Redaction = { finish: ModelFinish; places: string[]; calls: ReadonlySet<number> }

/** Removes the canary from everything that a model wrote in one turn. */
export function redactFinish(finish: ModelFinish, spellings: readonly Spelling[]): Redaction {
  const places: string[] = []
  const clean = (text: string, place: string): string => {
    const redacted = redactCanary(text, spellings)
    if (redacted !== text) places.push(place)
    return redacted
  }
  const text = clean(finish.text, 'its answer')
  const reasoning = finish.reasoning.map((block) => ({
    ...block,
    text: clean(block.text, 'its reasoning'),
  }))
  const calls = new Set<number>()
  const toolCalls = finish.toolCalls.map((call, index) => {
    if (!isCarrier(call, spellings)) return call
    calls.add(index)
    const name = redactCanary(call.name, spellings)
    places.push(`a call of ${name}`)
    return { id: null, name, argumentsText: redactedArguments }
  })
  const inText = finish.inText && redactAsk(finish.inText, toolCalls[0], calls.size > 0, clean)
  const redacted = { ...finish, text, reasoning, toolCalls, ...(inText && { inText }) }
  return { finish: redacted, places, calls }
}

/** Returns the request as the model wrote it; of a call with the canary, in any spelling, only the redacted call. */
function redactAsk(
  { tag, after, fault }: AskedInText,
  call: WireToolCall | undefined,
  isCarrier: boolean,
  clean: (text: string, place: string) => string,
): AskedInText {
  return {
    tag: isCarrier && call ? callTag(call) : clean(tag, 'its answer'),
    after: clean(after, 'its answer'),
    fault,
  }
}

/** Returns the text with a mark in place of each canary; the same text when there is none. */
export function redactCanary(text: string, spellings: readonly Spelling[]): string {
  return redactRanges(text, findCanary(text, spellings))
}

export function redactRanges(
  text: string,
  ranges: readonly { from: number; to: number }[],
): string {
  let redacted = ''
  let at = 0
  for (const { from, to } of ranges) {
    redacted += text.slice(at, from) + redactionMark
    at = to
  }
  return at === 0 ? text : redacted + text.slice(at)
}

function isCarrier(call: WireToolCall, spellings: readonly Spelling[]): boolean {
  const found = findCanary(`${call.name} ${call.id ?? ''}`, spellings)
  return found.length > 0 || argumentsCarryCanary(call.argumentsText, spellings)
}

/** Returns whether a call that is about to begin has its run's canary, whoever wrote its arguments. */
export function callCarriesCanary(step: RunStep, { argumentsText }: CallView): boolean {
  return argumentsCarryCanary(argumentsText, spellingsOf(step))
}

/** Returns whether arguments have the canary, anywhere in their text or spread over values that follow one another. */
export function argumentsCarryCanary(text: string, spellings: readonly Spelling[]): boolean {
  if (text === redactedArguments) return true
  if (spellings.length === 0 || isTooShort(text)) return false
  const { names, values } = leavesOf(text)
  const texts = [text, values.join(''), names.join('')]
  return texts.some((each) => findCanary(each, spellings).length > 0)
}

/** Letters that may stand for several, and numbers that are longer than they are written. */
const growing = /[^\0-\x7f]|\\|\d[eE]/
/** Returns whether arguments are too short for a canary, which has 16 digits at least. */
const isTooShort = (text: string) => text.length < 16 && !growing.test(text)

/** Returns the names and plain values of JSON text in their order; none when it is not JSON. */
function leavesOf(text: string): { names: string[]; values: string[] } {
  const names: string[] = []
  const values: string[] = []
  const open = [parsed(text)]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string' || typeof value === 'number') values.push(String(value))
    if (typeof value !== 'object' || value === null) continue
    // One by one: a list may hold more items than a call takes arguments.
    if (!Array.isArray(value)) for (const name of Object.keys(value)) names.push(name)
    for (const inner of Object.values(value).reverse()) open.push(inner)
  }
  return { names, values }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
