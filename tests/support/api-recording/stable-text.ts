const opaque = /^([0-9a-f-]{36}|[0-9a-f]{64}|127\.0\.0\.1:\d+|tg_\S+|\/\S+\/files)$/
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const moment = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z/g
/** As a sentence says it. */
const minute = /\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g
const day = /\b\d{4}-\d\d-\d\d\b/g
/** Measured values, which differ each time. */
const measured = new Set([
  'durationMs',
  'latencyMs',
  'wallTimeMs',
  'firstTokenMs',
  'workMs',
  'waitedForPeopleMs',
  'waitedForPlaceMs',
  'lastSeq',
  'p50Ms',
  'p95Ms',
  // Of a message between Toolgate and a server.
  'at',
])
const width = 120

/**
 * Returns a function that replaces what is another value each time by the same words: saved values by their names,
 * other ids by numbers in the order of their first mention, times of today by `{time}`.
 */
export function stableTexts(saved: ReadonlyMap<string, string>) {
  const ids = new Map<string, string>()
  const nameOf = (id: string) => {
    const name = ids.get(id) ?? `{id ${ids.size + 1}}`
    ids.set(id, name)
    return name
  }
  return (text: string): string => {
    let stable = text
    for (const [name, value] of saved)
      if (opaque.test(value)) stable = stable.replaceAll(value, `{${name}}`)
    return stable
      .replace(uuid, nameOf)
      .replace(moment, (found) => (isRecent(found) ? '{time}' : found))
      .replace(minute, '{time}')
      .replace(day, (found) => (isRecent(found) ? '{day}' : found))
      .replace(/(.)\1{99,}/g, (same, sign) => `{${same.length} times ${sign}}`)
  }
}

/**
 * Returns whether the time is less than a year and a month ago, as far as usage looks back. Fixed times of the script
 * are older.
 */
function isRecent(time: string): boolean {
  return Date.parse(time) > Date.now() - 400 * 86_400_000
}

/** Returns a value as JSON text that is easy to compare: on one line where it fits, and without what was measured. */
export function jsonText(value: unknown): string {
  return lines(JSON.parse(JSON.stringify(value, stableNumber)), 0)
}

function stableNumber(key: string, value: unknown): unknown {
  if (typeof value === 'number' && measured.has(key)) return '{measured}'
  if (isMeasured(value)) return `{measured ${value.name}}`
  // The age of a price depends on the day.
  if (key === 'stalePrice' && !(value && Object.values(value).includes('differs'))) return '{day}'
  return value
}

/** Returns whether this is the time of two runs that are compared. */
function isMeasured(value: unknown): value is { name: string } {
  const name = Object(value).name
  return name === 'firstTokenMs' || name === 'wallTimeMs'
}

function lines(value: unknown, depth: number): string {
  const short = oneLine(value)
  if (value === null || typeof value !== 'object' || short.length + depth * 2 <= width) return short
  const margin = '  '.repeat(depth + 1)
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(([key, part]) => {
    const name = isList ? '' : `${JSON.stringify(key)}: `
    return `${margin}${name}${lines(part, depth + 1)}`
  })
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${parts.join(',\n')}\n${'  '.repeat(depth)}${close}`
}

function oneLine(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`
  const parts = Object.entries(value).map(
    ([key, part]) => `${JSON.stringify(key)}: ${oneLine(part)}`,
  )
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
