const narrowSpace = '\u202f'

/** Returns a whole number with thin grouping: "12 345". */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, narrowSpace)
}

/** Returns the word for a switch. */
export function onOrOff(on: boolean): string {
  return on ? 'On' : 'Off'
}

/** Returns "1 call", "3 calls". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Returns "1 token", "12 345 tokens". */
export function formatTokens(tokens: number): string {
  return `${formatCount(tokens)} ${Math.round(tokens) === 1 ? 'token' : 'tokens'}`
}

/**
 * Returns micro-USD for people: "$0.000312", "$1.25", "< $0.000001"; null is "unpriced", never 0 (SPEC R14). Below one
 * dollar down to the last micro-dollar, above it cents.
 */
export function formatCostMicroUsd(microUsd: number | null): string {
  if (microUsd === null) return 'unpriced'
  if (microUsd > 0 && microUsd < 1) return '< $0.000001'
  const decimals = microUsd < 1_000_000 ? 6 : 2
  const [whole = '0', fraction = ''] = (microUsd / 1_000_000).toFixed(decimals).split('.')
  return `$${formatCount(Number(whole))}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}

/** Returns milliseconds as "340 ms", "1.24 s", "12.4 s", "2 min 05 s", "1 h 03 min". */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 9_995) return `${(ms / 1000).toFixed(2)} s`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`
  const minutes = Math.floor(seconds / 60)
  return `${formatCount(Math.floor(minutes / 60))} h ${twoDigits(minutes % 60)} min`
}

/** Returns the bytes of a text as UTF-8, the size that pages show. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Returns the size of a tool's result as its cut mark and its export name it: "12 345 bytes" (SPEC T5). */
export function resultSize(bytes: number): string {
  return countOf(bytes, 'byte')
}

/** Returns bytes in binary units: "512 B", "1.5 KB", "48 KB", "5 MB". */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const digits =
    unit === 0 || value >= 9.95
      ? Math.round(value).toString()
      : value.toFixed(1).replace(/\.0$/, '')
  return `${digits} ${units[unit]}`
}

const steps: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
/** Made when first needed: it would take longer than the rest of this file. */
let relative: Intl.RelativeTimeFormat | undefined

/** Returns the time `atMs` seen from `nowMs`: "just now", "5 minutes ago", "1 day ago", "in 2 hours". */
export function formatRelativeTime(atMs: number, nowMs: number): string {
  const distance = atMs - nowMs
  for (const [unit, ms] of steps) {
    if (Math.abs(distance) < ms) continue
    relative ??= new Intl.RelativeTimeFormat('en', { numeric: 'always' })
    return relative.format(Math.trunc(distance / ms), unit)
  }
  return 'just now'
}

function twoDigits(value: number): string {
  return value.toString().padStart(2, '0')
}

/** Returns "above 272,000 input tokens: input 200 %, output 150 %". */
export function longPromptText({
  aboveTokens,
  inputPercent,
  outputPercent,
}: {
  aboveTokens: number
  inputPercent: number
  outputPercent: number
}): string {
  return `above ${formatCount(aboveTokens)} input tokens: input ${inputPercent} %, output ${outputPercent} %`
}

/** Returns "provider reported $0.0042", if that differs from the cost by the stored prices; otherwise an empty text. */
export function reportedCostText(
  { reportedCostMicroUsd }: { reportedCostMicroUsd?: number | undefined },
  costMicroUsd: number | null,
): string {
  if (reportedCostMicroUsd === undefined || reportedCostMicroUsd === costMicroUsd) return ''
  return `provider reported ${formatCostMicroUsd(reportedCostMicroUsd)}`
}

/** Returns how a stored reason continues a sentence: `: the reason.`, or a full stop when none was given. */
export function because(reason: string): string {
  const text = reason.trim()
  if (text === '') return '.'
  return /[.!?]$/.test(text) ? `: ${text}` : `: ${text}.`
}

const Figure = /^\$?(\d{1,9})(?:\.(\d{1,6}))?$/

/**
 * Parses US dollars as people write them ("0.075", "$3", "12.50") into whole micro-USD; null when it is no such figure
 * or finer than a micro-dollar. Reads digit by digit, so a price is never a floating-point number.
 */
export function parseUsd(text: string): number | null {
  const parts = Figure.exec(text.trim())
  if (!parts) return null
  const [, dollars = '', decimals = ''] = parts
  return Number(dollars + decimals.padEnd(6, '0'))
}

/** Returns micro-USD as text for fields and tables: "0.075", "3.00", "12.50". */
export function usdText(microUsd: number): string {
  const digits = String(microUsd).padStart(7, '0')
  const decimals = digits.slice(-6).replace(/0+$/, '').padEnd(2, '0')
  return `${digits.slice(0, -6)}.${decimals}`
}

const Count = /^(?:\d{1,15}|[1-9]\d{0,2}([\s,_])\d{3}(?:\1\d{3}){0,3})$/

/** Parses a whole number as people write it ("12000", "12,000", "12 000", "12_000"); null when it is none. */
export function parseCount(text: string): number | null {
  const typed = text.trim()
  return Count.test(typed) ? Number(typed.replaceAll(/[\s,_]/g, '')) : null
}

/** Parses a number as people write it ("0.7", "-3"); null when it is none. A comma could mean either of two things. */
export function parseDecimal(text: string): number | null {
  const typed = text.trim()
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(typed) ? Number(typed) : null
}

/**
 * Parses seconds as people write them ("30", "2.5", "0,5") into milliseconds; null when it is none or finer than that.
 */
export function parseSeconds(text: string): number | null {
  const typed = text.trim()
  if (!/^\d{1,9}(?:[.,]\d{1,2}|\.\d{3})?$/.test(typed)) return null
  return Math.round(Number(typed.replace(',', '.')) * 1000)
}

/** Returns milliseconds as seconds for fields: "30", "2.5". */
export function secondsText(ms: number): string {
  return String(ms / 1000)
}

/**
 * Returns the value of a field that may be empty: null = empty, NaN = no figure, which the server refuses beside the
 * field.
 */
export function typedFigure(text: string, parse: (text: string) => number | null): number | null {
  return text.trim() === '' ? null : (parse(text) ?? Number.NaN)
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
export type DurationUnit = keyof typeof unitsMs

export function durationMs(amount: number, unit: DurationUnit): number {
  return amount * unitsMs[unit]
}

/**
 * Returns a duration in the largest unit without a remainder, days from two on: 24 h, 7 d, 90 m. Rounded below a
 * minute.
 */
export function durationParts(ms: number): { amount: number; unit: DurationUnit } {
  const minutes = Math.round(ms / unitsMs.m)
  if (minutes % 1440 === 0 && minutes > 1440) return { amount: minutes / 1440, unit: 'd' }
  if (minutes % 60 === 0 && minutes > 0) return { amount: minutes / 60, unit: 'h' }
  return { amount: minutes, unit: 'm' }
}

/** Returns "24h", "7d", "90m". */
export function durationText(ms: number): string {
  const { amount, unit } = durationParts(ms)
  return `${amount}${unit}`
}

/** Parses such a text into milliseconds; null when it is no duration. */
export function parseDuration(text: string): number | null {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text.trim()) ?? []
  return amount && isUnit(unit) ? durationMs(Number(amount), unit) : null
}

function isUnit(text: string | undefined): text is DurationUnit {
  return text !== undefined && Object.hasOwn(unitsMs, text)
}

const words = { m: 'minute', h: 'hour', d: 'day' } as const

/** Returns a duration for a sentence: "8 hours", "1 hour", "7 days". */
export function durationWords(ms: number): string {
  const { amount, unit } = durationParts(ms)
  return `${amount} ${words[unit]}${amount === 1 ? '' : 's'}`
}

/** A list that may be absent: `null` and `[]` mean different things. */
type Names = readonly string[] | null

/** Words for an absent and an empty list, by the meaning of the list. */
const meanings = {
  /** The tool groups a configuration allows. */
  toolGroups: { absent: 'all tool groups', empty: 'no tool groups' },
  /** The single tools a configuration allows beside its groups. */
  singleTools: { absent: 'no single tools', empty: 'no single tools' },
  /** The tools somebody picked for a run. */
  pickedTools: { absent: 'all tools', empty: 'no tools' },
  /** The `allowed-tools` of a skill, or the tools that several skills grant together. */
  skillTools: { absent: 'not limited', empty: 'no tools' },
  /** The groups that may use a configuration, beside admins. */
  audience: { absent: 'not set', empty: 'admins only' },
  /** Limits of a group for its members. */
  limit: { absent: 'not limited', empty: 'none' },
  /** Any other list. */
  other: { absent: 'not set', empty: 'none' },
} as const satisfies Record<string, { absent: string; empty: string }>
export type ListMeaning = keyof typeof meanings

/** Returns a list as people read it: its names, or the words for an absent or an empty one. */
export function listWords(meaning: ListMeaning, names: Names, separator = ', '): string {
  if (names === null) return meanings[meaning].absent
  return names.length === 0 ? meanings[meaning].empty : names.join(separator)
}

/** Returns `listWords` as a label of its own: our words begin with a capital letter, names stay unchanged. */
export function listLabel(meaning: ListMeaning, names: Names): string {
  const words = listWords(meaning, names)
  return names?.length ? words : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The meaning of stored lists by the name of their field, in any object. */
const everywhere: ReadonlyMap<string, ListMeaning> = new Map([
  ['allowedToolGroups', 'toolGroups'],
  ['allowedTools', 'skillTools'],
  ['grantedBySkills', 'skillTools'],
])
/** The meaning of stored lists whose field has another meaning in other objects. */
const inObject: ReadonlyMap<string, ListMeaning> = new Map([
  ['run.tools', 'pickedTools'],
  ['configuration.allowedTools', 'singleTools'],
  ['configuration.groups', 'audience'],
  ['group.tools', 'limit'],
  ['group.toolGroups', 'limit'],
  ['configuration.groupIds', 'audience'],
])

/** Returns what a stored list means, by the kind of its object ("run") and the name of its field. */
export function listMeaning(kind: string, field: string): ListMeaning {
  return inObject.get(`${kind}.${field}`) ?? everywhere.get(field) ?? 'other'
}

export type BudgetUnit = 'requests' | 'tokens' | 'micro-usd'

/** Returns a budget's figure for people: "$1.25", "12 000 tokens", "1 request". */
export function amountWords(figure: number, unit: BudgetUnit): string {
  switch (unit) {
    case 'micro-usd':
      return formatCostMicroUsd(figure)
    case 'tokens':
      return formatTokens(figure)
    case 'requests':
      return `${formatCount(figure)} ${figure === 1 ? 'request' : 'requests'}`
    default:
      return unit satisfies never
  }
}

/** Returns a label for the middle of a sentence: "external, EU". */
export function inSentence(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}

/** Returns whether a kind of file is an image. */
export function isImage(type: string): boolean {
  return type.startsWith('image/')
}
