import 'server-only'
import { newId } from '@/lib/kernel/new-id'
import type { Outage } from '@/lib/protocol/outage'
import { outageOf } from './database-errors'
import { noteDiskFull } from './db'
import { AppError, DiskFullError, StatementLimitError, UnavailableError } from './errors'
import { log } from './log'

/** A failure as people see it: only words for people, and an id that finds the rest in the log. */
export type ErrorDescription = {
  code: string
  status: number
  message: string
  fields?: Record<string, string>
  incidentId?: string
}

const noDatabase = 'Toolgate cannot reach its database. Try again in a moment.'
const noConnection =
  'Toolgate has more to ask its database than it may at once. Try again in a moment.'

/** Describes any thrown value. Internal errors are logged under a new incident id (SPEC T8). */
export function describeError(error: unknown, source: string): ErrorDescription {
  if (error instanceof AppError) {
    const { code, status, message } = error
    return { code, status, message, ...fieldsOf(error) }
  }
  const outage = outageOf(error)
  if (outage) return describeOutage(outage, error, source)
  const incidentId = newId()
  log.error({ source, incidentId, err: error }, 'An unexpected error ended a request')
  const message = `An internal error stopped this. The server log has the details under incident ${incidentId}.`
  return { code: 'internal', status: 500, message, incidentId }
}

function describeOutage(outage: Outage, error: unknown, source: string): ErrorDescription {
  switch (outage) {
    case 'away':
      log.error({ source, err: error }, 'The database does not answer')
      return describeError(new UnavailableError(noDatabase), source)
    case 'full':
      noteDiskFull()
      log.error({ source, err: error }, 'The disk of the database is full')
      return describeError(new DiskFullError(), source)
    case 'crowded':
      return describeError(new UnavailableError(noConnection), source)
    case 'stopped':
      return describeError(new StatementLimitError(), source)
    default:
      return outage satisfies never
  }
}

/** Returns the sentences about single fields. */
function fieldsOf(error: AppError): { fields?: Record<string, string> } {
  const { fields } = error as { fields?: Record<string, string> }
  return fields ? { fields } : {}
}
