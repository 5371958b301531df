import pino from 'pino'
import { logFields } from './log-fields'
import { scrubText, scrubValue } from './scrub-value'

/** No `child`: pino lets what a child is made with past the hook that scrubs. */
export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

const levels = ['debug', 'info', 'warn', 'error']

/**
 * A logger that writes one JSON object a line: level, at (ISO 8601), source, incidentId, ipAddress, userId, payload,
 * message. Secrets are removed from all of it, and nothing in it can end the line or steer a terminal.
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
