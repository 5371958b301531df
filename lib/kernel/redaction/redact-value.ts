import type { JsonValue } from '@/lib/protocol/tool'
import { REDACTED, redactLines, redactText } from './redact-text'
import { isSecretName } from './secret-name'

const MAX_DEPTH = 6
const MAX_ITEMS = 100
const MAX_TEXT = 8_000
/** Removes secrets before the final cut, so that a cut never leaves half of one visible. */
const MAX_SEARCHED = 64_000

/** Hides what a caller knows to be secret, before anything is cut. */
type Hide = (text: string) => string

const nothing: Hide = (text) => text

/**
 * Returns any value as JSON that may be logged: no secret by name or by shape, no control characters except newline,
 * return and tab, with limits on depth, items and length (8,000 characters per text). Never throws.
 */
export function redactValue(value: unknown, hide = nothing, depth = 0): JsonValue | undefined {
  if (typeof value === 'string') return redactWhole(value, hide)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return undefined
  if (depth >= MAX_DEPTH) return '[nested too deep]'
  try {
    return redactObject(value, hide, depth)
  } catch {
    return '[unreadable]'
  }
}

/** Returns a text as it may be logged: without secrets and control characters, at most 8,000 characters of it. */
export function redactWhole(text: string, hide = nothing): string {
  return shortened(redactText(cleaned(text, hide)), text.length)
}

function cleaned(text: string, hide: Hide): string {
  return hide(text)
    .slice(0, MAX_SEARCHED)
    .toWellFormed()
    .replace(/(?![\n\r\t\u0080-\u009f])\p{Cc}/gu, '')
}

function shortened(redacted: string, length: number): string {
  if (redacted.length <= MAX_TEXT) return redacted
  return `${redacted.slice(0, MAX_TEXT).toWellFormed()}… [${length} characters in all]`
}

function redactObject(value: object, hide: Hide, depth: number): JsonValue | undefined {
  if (value instanceof Error) return redactError(value, hide, depth)
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof URL) return redactWhole(value.href, hide)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Map) {
    const entries = [...value].map(([key, item]): [string, unknown] => [String(key), item])
    return redactEntries(entries, hide, depth)
  }
  if (value instanceof Set) return redactList([...value], hide, depth)
  if (Array.isArray(value)) return redactList(value, hide, depth)
  return redactEntries(Object.entries(value), hide, depth)
}

function redactError(error: Error, hide: Hide, depth: number): JsonValue | undefined {
  const { name, message, stack, cause } = error
  const facts: [string, unknown][] = [
    ['type', name],
    ['message', message],
    ['stack', stack],
    ['cause', cause],
  ]
  return redactEntries([...facts, ...Object.entries(error)], hide, depth)
}

function redactList(items: readonly unknown[], hide: Hide, depth: number): JsonValue {
  const first = items.slice(0, MAX_ITEMS)
  const shown = first.every((item) => typeof item === 'string')
    ? redactTexts(first, hide)
    : first.map((item) => redactValue(item, hide, depth + 1) ?? null)
  return items.length <= MAX_ITEMS ? shown : [...shown, `[${items.length} items in all]`]
}

/** Redacts the texts of a list as lines of one text: a secret may go on in the next. */
function redactTexts(texts: readonly string[], hide: Hide): string[] {
  const lines = texts.map((text) => cleaned(text, hide))
  const total = lines.reduce((sum, line) => sum + line.length, 0)
  if (total > MAX_SEARCHED || lines.some((line) => line.includes('\n')))
    return texts.map((text) => redactWhole(text, hide))
  return redactLines(lines).map((line, index) => shortened(line, texts[index]?.length ?? 0))
}

function redactEntries(
  entries: readonly [string, unknown][],
  hide: Hide,
  depth: number,
): JsonValue {
  const shown: [string, JsonValue][] = []
  for (const [key, item] of entries.slice(0, MAX_ITEMS)) {
    const value = isSecretName(key) ? redactSecret(item) : redactValue(item, hide, depth + 1)
    if (value !== undefined) shown.push([redactWhole(key, hide), value])
  }
  return Object.fromEntries(shown)
}

/**
 * Returns a placeholder for a secret. Numbers and booleans under a secret-sounding name stay, because they count or
 * choose something (`inputTokens: 12`).
 */
function redactSecret(value: unknown): JsonValue | undefined {
  if (value === undefined || value === null) return value
  return typeof value === 'number' || typeof value === 'boolean' ? value : REDACTED
}
