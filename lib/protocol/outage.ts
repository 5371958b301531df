/**
 * State of a database that cannot work: it does not answer (`away`), has no connection left (`crowded`) or no room on
 * its disk (`full`), or stopped a statement that took too long (`stopped`).
 */
export type Outage = 'away' | 'crowded' | 'full' | 'stopped'

/** The HTTP status of an answer that an outage prevented. */
export const outageStatuses: Readonly<Record<Outage, number>> = {
  away: 503,
  crowded: 503,
  full: 507,
  stopped: 503,
}

/** After how many seconds an answer with such a status says to ask again. */
export const retryAfterSeconds: Readonly<Record<number, number>> = { 503: 5, 507: 60 }

/** The words that replace a page that cannot be shown. */
export const outageWords: Readonly<Record<Outage, { title: string; text: string }>> = {
  away: {
    title: 'The database does not answer',
    text: 'Toolgate cannot reach its database, so this page has nothing to show. Active runs wait, and go on by themselves. Try again in a moment.',
  },
  crowded: {
    title: 'The database is busy',
    text: 'Toolgate has more to ask its database than it may at once. Try again in a moment.',
  },
  full: {
    title: 'The disk of the database is full',
    text: 'Nothing can be stored. Free some space, or give the database a larger disk. Active runs wait, and go on by themselves.',
  },
  stopped: {
    title: 'This page took too long',
    text: 'The database needed more time for it than a page may take, so it was stopped. Go back and narrow it with a filter or a shorter period, or try again when less is going on.',
  },
}

const prefix = 'database-'

/** Returns the digest of an outage. A page in the browser gets nothing else of an error. */
export function outageDigest(outage: Outage): string {
  return prefix + outage
}

/** Returns the outage that the digest of an error names; null = it is another error. */
export function outageIn(error: unknown): Outage | null {
  const digest = digestOf(error)
  if (!digest?.startsWith(prefix)) return null
  const outage = digest.slice(prefix.length)
  return Object.hasOwn(outageStatuses, outage) ? (outage as Outage) : null
}

/** Returns the digest of an error, which finds it in the server log. */
export function digestOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return null
  return typeof error.digest === 'string' ? error.digest : null
}
