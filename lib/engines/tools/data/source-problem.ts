import { EgressError } from '@/lib/engines/egress/egress-connector'
import { OwnDatabaseError, UnconfirmedError } from './transactions'

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
export function problemOf(error: unknown): string {
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

type WriteProblem = { code: string; words: string }

const busy = {
  code: 'busy',
  words: 'Nothing was written: another transaction holds this row. Try again.',
}
const refused = {
  code: 'refused',
  words: 'Nothing was written: a rule of the database refuses these values.',
}

const writeProblems: Readonly<Record<string, WriteProblem>> = {
  '23502': {
    code: 'refused',
    words: 'Nothing was written: a column that needs a value would have none.',
  },
  '23503': {
    code: 'refused',
    words: 'Nothing was written: a value refers to a row that is not there.',
  },
  '23505': {
    code: 'duplicate',
    words:
      'Nothing was written: there is already a row with this key, or with a value that may be there only once.',
  },
  '25006': { code: 'refused', words: 'Nothing was written: the database can only be read.' },
  '42501': {
    code: 'refused',
    words: 'Nothing was written: the user of the data source may not write this.',
  },
  '40001': busy,
  '40P01': busy,
  '55P03': busy,
  '57014': {
    code: 'too-slow',
    words: 'Nothing was written: the database took longer than 5 seconds.',
  },
}

/** Returns what a model is told of a write that failed, in words that repeat nothing of the database's own. */
export function writeProblem(error: unknown): WriteProblem {
  if (error instanceof UnconfirmedError) {
    return {
      code: 'unknown',
      words:
        'The connection broke while the database confirmed the write. It may have taken effect. Read the row before you go on.',
    }
  }
  const { code = '' } = pick(error)
  const known = writeProblems[code]
  if (known) return known
  if (isWrongValue(error)) {
    return {
      code: 'wrong-value',
      words: 'Nothing was written: a value does not fit the type of its column.',
    }
  }
  if (/^(?:23|P0)/.test(code)) return refused
  return {
    code: 'unavailable',
    words:
      'Nothing was written: the data source cannot be written now. An admin can see why in the log.',
  }
}

/** Returns what the log keeps of an error. Those about values name rows, also columns that are closed, so only their code is kept. */
export function loggedProblem(error: unknown): { err: unknown } | { code: string } {
  const { code = '' } = pick(error)
  return /^(?:22|23|44|P0)/.test(code) ? { code } : { err: error }
}

function pick(error: unknown): { code?: string; message?: string } {
  if (!(error instanceof Error)) return {}
  const code = 'code' in error ? String(error.code) : ''
  return { code, message: error.message }
}
