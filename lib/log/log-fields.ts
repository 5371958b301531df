import type { JsonValue } from '@/lib/protocol/tool'
import { scrubText, scrubValue } from './scrub-value'

/** What every log line may say about itself besides its message; everything else is its payload. */
const ownFields = ['source', 'incidentId', 'ipAddress', 'userId'] as const

export type LogFields = Partial<Record<(typeof ownFields)[number], string>> & {
  payload?: JsonValue
}

/**
 * Sorts what a caller passed to a log method into fields and payload, scrubbed. The payload has a key of its own, so
 * that nothing a caller logs can pass for the line's level, time or message.
 */
export function logFields(value: unknown): LogFields {
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
