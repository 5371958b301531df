import { redactText } from '@/lib/kernel/redaction/redact-text'
import type { LogLine } from './tool-resources'

/** Returns lines of the log as a model may see them. */
export function logEntries(lines: readonly LogLine[]) {
  return lines.map(({ at, level, source, message, incidentId }) => ({
    at,
    level,
    source,
    message: redactText(message),
    incidentId,
  }))
}
