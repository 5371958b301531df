/**
 * What keeps the database from doing its work: it does not answer (`away`), has no connection left (`crowded`) or no
 * room on its disk (`full`), or stopped a statement that took too long (`stopped`).
 */
export type Outage = 'away' | 'crowded' | 'full' | 'stopped'

/** The HTTP status of an answer that an outage prevented. */
export const outageStatuses: Readonly<Record<Outage, number>> = {
  away: 503,
  crowded: 503,
  full: 507,
  stopped: 503,
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
