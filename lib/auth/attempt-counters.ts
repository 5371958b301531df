import { createHmac } from 'node:crypto'
import type { HashCaller } from '../domains/users/hash-password'
import { env } from '../kernel/env'
import { addressPrefix } from './client-address'

/** `code` = TOTP and recovery codes. */
export type AttemptSecret = 'password' | 'code'

/** Where an attempt comes from, the surest first. */
export type AttemptOrigin = {
  /** The session of whoever is signed in already. */
  sessionId?: string | null
  /** From `knownBrowser`: a browser in which this account signed in before. */
  browserId?: string | null
  /** From `countedAddress`: null when it may be a proxy's, and not the person's own. */
  address: string | null
}

/** A row of `sign_in_failures`. */
export type Counter = { id: string; subject: string; longestDelaySeconds: number; forgetMs: number }

export type AttemptCounters = { from: HashCaller; own: Counter; shared: readonly Counter[] }

const hourMs = 3_600_000

/**
 * Which counters an attempt counts on. `own` decides about delays: account and origin together, so that failures
 * elsewhere never delay it. `shared` ones slow strangers down: the account from all unknown addresses, and the address
 * with all accounts. Whoever is known has none: a session, a browser, or an address that this account signed in from.
 */
export function countersOf(
  account: string,
  secret: AttemptSecret,
  origin: AttemptOrigin,
  goodPrefixes: readonly string[],
): AttemptCounters {
  const who = account.trim().toLowerCase()
  const own = (place: string, longestDelaySeconds = longestDelay[secret]): Counter => ({
    ...subjectOf(['own', secret, who, place]),
    longestDelaySeconds,
    forgetMs: forgetAfter[secret],
  })
  const known = (place: string): AttemptCounters => ({
    from: 'known',
    own: own(place),
    shared: [],
  })
  if (origin.sessionId) return known(`session ${origin.sessionId}`)
  if (origin.browserId) return known(`browser ${origin.browserId}`)
  const prefix = origin.address === null ? null : addressPrefix(origin.address)
  if (prefix !== null && goodPrefixes.includes(prefix)) return known(prefix)
  // Only someone who knows the password is asked for a code: counting for the account alone is no weapon there, and
  // no number of addresses helps to guess it.
  if (secret === 'code') return known('any')
  if (prefix === null) {
    return { from: 'stranger', own: own('no address', unknownOriginSeconds), shared: [] }
  }
  const shared = [subjectOf(['address', prefix]), subjectOf(['account', who])].map((subject) => ({
    ...subject,
    longestDelaySeconds: 0,
    forgetMs: hourMs,
  }))
  return { from: 'stranger', own: own(prefix), shared }
}

const longestDelay: Record<AttemptSecret, number> = { password: 60, code: 15 * 60 }
const forgetAfter: Record<AttemptSecret, number> = { password: hourMs, code: 24 * hourMs }
/** Everybody shares this origin, so that anybody could keep its delay at the longest. */
const unknownOriginSeconds = 5

/** Keyed, so that the table does not tell whose accounts and addresses failed. */
function subjectOf(parts: string[]): Pick<Counter, 'id' | 'subject'> {
  const key = env().NEXTAUTH_SECRET
  const subject = createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex')
  const id = subject.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return { id, subject }
}
