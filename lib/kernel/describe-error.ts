import 'server-only'
import { newId } from '@/lib/kernel/new-id'
import { isCrowdedOut, isDiskFull, isStopped, isUnreachable } from './database-errors'
import { noteDiskFull } from './db'
import {
  AppError,
  ConflictError,
  DiskFullError,
  StatementLimitError,
  UnavailableError,
  ValidationError,
} from './errors'
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
  if (error instanceof ValidationError) {
    return { code: error.code, status: error.status, message: error.message, fields: error.fields }
  }
  if (error instanceof AppError) {
    const { code, status, message } = error
    const fields = error instanceof ConflictError ? error.fields : undefined
    return { code, status, message, ...(fields && { fields }) }
  }
  if (isUnreachable(error)) {
    log.error({ source, err: error }, 'The database does not answer')
    return describeError(new UnavailableError(noDatabase), source)
  }
  if (isDiskFull(error)) {
    noteDiskFull()
    log.error({ source, err: error }, 'The disk of the database is full')
    return describeError(new DiskFullError(), source)
  }
  if (isCrowdedOut(error)) return describeError(new UnavailableError(noConnection), source)
  if (isStopped(error)) return describeError(new StatementLimitError(), source)
  const incidentId = newId()
  log.error({ source, incidentId, err: error }, 'An unexpected error ended a request')
  const message = `An internal error stopped this. The server log has the details under incident ${incidentId}.`
  return { code: 'internal', status: 500, message, incidentId }
}
