import pino from 'pino'
import { isSecretName, REDACTED, redactText } from '@/lib/kernel/redaction/redact-text'
import type { JsonValue } from '@/lib/protocol/tool'

/** Without `child`, because pino does not pass a child's bindings through the hook that removes secrets. */
export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

const levels = ['debug', 'info', 'warn', 'error']

/**
 * Returns a logger that writes one JSON object per line: level, at (ISO 8601), source, incidentId, ipAddress, userId,
 * payload, message. Secrets are removed from all of it, and no text in it can end the line or control a terminal.
 */
export function createLogger(writeLine: (line: string) => void, level: string | undefined): Logger {
  return pino(
    {
      base: null,
      level: level !== undefined && levels.includes(level) ? level : 'info',
      messageKey: 'message',
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method) {
          const [first, ...rest] = args as unknown[]
          const [message, ...values] = typeof first === 'string' ? [first, ...rest] : rest
          const text = typeof message === 'string' ? scrubText(message) : messageOf(first)
          method.apply(this, [logFields(first), text, ...values.map((value) => scrubValue(value))])
        },
        streamWrite: (line) => line.replace(steersTerminals, escapeCharacter),
      },
    },
    { write: writeLine },
  )
}

/** JSON escapes C0; these also move cursors, end lines or reverse text in one place or another. */
const steersTerminals = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function messageOf(value: unknown): string {
  return value instanceof Error ? scrubText(value.message) : ''
}

/** The fields of a log line besides its message. Everything else is its payload. */
const ownFields = ['source', 'incidentId', 'ipAddress', 'userId'] as const

type LogFields = Partial<Record<(typeof ownFields)[number], string>> & {
  payload?: JsonValue
}

/**
 * Sorts what a caller passed to a log method into fields and payload, without secrets. The payload has a key of its
 * own, so that nothing in it can look like the line's level, time or message.
 */
function logFields(value: unknown): LogFields {
  if (value instanceof Error) return { payload: { err: scrubValue(value) ?? null } }
  if (typeof value !== 'object' || value === null) return {}
  const fields: LogFields = {}
  const rest: Record<string, unknown> = { ...value }
  for (const name of ownFields) {
    const text = rest[name]
    if (typeof text === 'string') fields[name] = scrubText(text)
    delete rest[name]
  }
  if (Object.keys(rest).length === 0) return fields
  return { ...fields, payload: scrubValue(rest) ?? null }
}

const MAX_DEPTH = 6
const MAX_ITEMS = 100
const MAX_TEXT = 8_000
/** Removes secrets before the final cut, so that a cut never leaves half of one visible. */
const MAX_SEARCHED = 64_000

/**
 * Returns any value as JSON that may be logged: no secret by name or by shape, no control characters except newline,
 * return and tab, with limits on depth, items and length (8,000 characters per text). Never throws.
 */
export function scrubValue(value: unknown, depth = 0): JsonValue | undefined {
  if (typeof value === 'string') return scrubText(value)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return undefined
  if (depth >= MAX_DEPTH) return '[nested too deep]'
  try {
    return scrubObject(value, depth)
  } catch {
    return '[unreadable]'
  }
}

function scrubText(text: string): string {
  const cleaned = text
    .slice(0, MAX_SEARCHED)
    .toWellFormed()
    .replace(/(?![\n\r\t\u0080-\u009f])\p{Cc}/gu, '')
  const redacted = redactText(cleaned)
  if (redacted.length <= MAX_TEXT) return redacted
  return `${redacted.slice(0, MAX_TEXT).toWellFormed()}… [${text.length} characters in all]`
}

function scrubObject(value: object, depth: number): JsonValue | undefined {
  if (value instanceof Error) return scrubError(value, depth)
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof URL) return scrubText(value.href)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Map)
    return scrubEntries(
      [...value].map(([key, item]) => [String(key), item]),
      depth,
    )
  if (value instanceof Set) return scrubList([...value], depth)
  if (Array.isArray(value)) return scrubList(value, depth)
  return scrubEntries(Object.entries(value), depth)
}

function scrubError(error: Error, depth: number): JsonValue | undefined {
  const { name, message, stack, cause } = error
  const facts: [string, unknown][] = [
    ['type', name],
    ['message', message],
    ['stack', stack],
    ['cause', cause],
  ]
  return scrubEntries([...facts, ...Object.entries(error)], depth)
}

function scrubList(items: readonly unknown[], depth: number): JsonValue {
  const shown = items.slice(0, MAX_ITEMS).map((item) => scrubValue(item, depth + 1) ?? null)
  return items.length <= MAX_ITEMS ? shown : [...shown, `[${items.length} items in all]`]
}

function scrubEntries(entries: readonly [string, unknown][], depth: number): JsonValue {
  const shown: [string, JsonValue][] = []
  for (const [key, item] of entries.slice(0, MAX_ITEMS)) {
    const value = isSecretName(key) ? scrubSecret(item) : scrubValue(item, depth + 1)
    if (value !== undefined) shown.push([scrubText(key), value])
  }
  return Object.fromEntries(shown)
}

/**
 * Returns a placeholder for a secret. Numbers and booleans under a secret-sounding name stay, because they count or
 * choose something (`inputTokens: 12`).
 */
function scrubSecret(value: unknown): JsonValue | undefined {
  if (value === undefined || value === null) return value
  return typeof value === 'number' || typeof value === 'boolean' ? value : REDACTED
}
