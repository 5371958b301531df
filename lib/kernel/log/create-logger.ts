import pino from 'pino'
import { redactValue, redactWhole } from '@/lib/kernel/redaction/redact-value'
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
          const text = typeof message === 'string' ? redactWhole(message) : messageOf(first)
          method.apply(this, [logFields(first), text, ...values.map((value) => redactValue(value))])
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
  return value instanceof Error ? redactWhole(value.message) : ''
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
  if (value instanceof Error) return { payload: { err: redactValue(value) ?? null } }
  if (typeof value !== 'object' || value === null) return {}
  const fields: LogFields = {}
  const rest: Record<string, unknown> = { ...value }
  for (const name of ownFields) {
    const text = rest[name]
    if (typeof text === 'string') fields[name] = redactWhole(text)
    delete rest[name]
  }
  if (Object.keys(rest).length === 0) return fields
  return { ...fields, payload: redactValue(rest) ?? null }
}
