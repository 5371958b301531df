import { EgressError } from '../../egress/egress-connector'
import { OwnDatabaseError } from './read-only'

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at this host and port.',
  ECONNRESET: 'The server closed the connection.',
  ENOTFOUND: 'The host name does not resolve.',
  EAI_AGAIN: 'The host name does not resolve.',
  ETIMEDOUT: 'The server does not answer.',
  EHOSTUNREACH: 'The server cannot be reached.',
  ENETUNREACH: 'The server cannot be reached.',
  '28P01': 'The server refused the user or the password.',
  '28000': 'The server refused the user, or the way in which it connects, such as without TLS.',
  '3D000': 'The server has no database of this name.',
  '42501': 'The user may not read what is asked for.',
  '53300': 'The server has no free connections.',
  '57014': 'The database took longer than 5 seconds.',
  '57P03': 'The server is starting or stopping.',
}

const certificate =
  'The certificate of the server is not trusted, or is for another host. With sslmode=require it is not checked.'

const messages: readonly [RegExp, string][] = [
  [/^SASL/, 'The server asks for a password, and none or a wrong one is stored.'],
  [
    /does not support SSL/,
    'The server does not use TLS. With sslmode=disable it is asked without.',
  ],
  [/timeout/i, 'The server does not answer within 5 seconds.'],
]

/** Returns why a source cannot be asked now, for admins, in words that repeat nothing of the database's own. */
export function troubleOf(error: unknown): string {
  if (error instanceof OwnDatabaseError) {
    return "This is the console's own database. Add a data source of that kind for it."
  }
  if (error instanceof EgressError) return error.message
  const { code, message } = { code: '', message: '', ...pick(error) }
  if (words[code] !== undefined) return words[code]
  if (/CERT|SELF_SIGNED|LEAF_SIGNATURE/.test(code)) return certificate
  const known = messages.find(([pattern]) => pattern.test(message))
  if (known) return known[1]
  return /^[A-Z0-9_]{3,40}$/.test(code)
    ? `The server does not answer (${code}).`
    : 'The server does not answer. The log has the details.'
}

/** Returns whether the database refused a value of a call, because it does not fit its column. */
export function isWrongValue(error: unknown): boolean {
  return /^22/.test(pick(error).code ?? '')
}

/** Returns whether a statement took too long. */
export function isTooSlow(error: unknown): boolean {
  return pick(error).code === '57014'
}

function pick(error: unknown): { code?: string; message?: string } {
  if (!(error instanceof Error)) return {}
  const code = 'code' in error ? String(error.code) : ''
  return { code, message: error.message }
}
