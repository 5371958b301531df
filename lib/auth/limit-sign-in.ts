import { createHmac } from 'node:crypto'
import { v7 as newId } from 'uuid'
import { type Tx, withTransaction } from '../db'
import { env } from '../env'
import { RateLimitedError } from '../errors'
import { addressPrefix } from './client-address'

const limit = 5
const windowMs = 5 * 60_000

export type Attempt = { failureIds: string[]; account: string }

/**
 * Counts an attempt as failed before the password is looked at, so that many at once cannot slip past the limit: 5
 * in 5 minutes per account and per address prefix. Throws RateLimitedError, which says when to try again.
 */
export function beginAttempt(
  email: string,
  ipAddress: string | null,
  now = new Date(),
): Promise<Attempt> {
  const account = subjectOf('account', email.trim().toLowerCase())
  const subjects = [account]
  if (ipAddress) subjects.push(subjectOf('address', addressPrefix(ipAddress)))
  return withTransaction(async (tx) => {
    // In one order for everyone: two attempts never wait for each other in a circle.
    for (const subject of subjects.toSorted()) await checkLimit(tx, subject, now)
    const rows = subjects.map((subject) => ({ id: newId(), subject, at: now }))
    await tx.signInFailure.createMany({ data: rows })
    return { failureIds: rows.map((row) => row.id), account }
  })
}

/** The attempt succeeded: it was no failure, and the account's earlier ones are forgiven. */
export async function forgiveAttempt(tx: Tx, attempt: Attempt, now = new Date()): Promise<void> {
  await tx.signInFailure.deleteMany({
    where: {
      OR: [
        { id: { in: attempt.failureIds } },
        { subject: attempt.account },
        { at: { lt: new Date(now.getTime() - windowMs) } },
      ],
    },
  })
}

async function checkLimit(tx: Tx, subject: string, now: Date): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${subject}, 0))`
  const recent = await tx.signInFailure.findMany({
    where: { subject, at: { gt: new Date(now.getTime() - windowMs) } },
    orderBy: { at: 'desc' },
    take: limit,
    select: { at: true },
  })
  const oldest = recent.at(limit - 1)
  if (!oldest) return
  const seconds = Math.max(1, Math.ceil((oldest.at.getTime() + windowMs - now.getTime()) / 1000))
  throw new RateLimitedError(`Too many failed sign-ins. Try again in ${inWords(seconds)}.`, seconds)
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

// Keyed, so that the table does not tell whose addresses failed.
function subjectOf(kind: string, text: string): string {
  return createHmac('sha256', env().NEXTAUTH_SECRET).update(`${kind}:${text}`).digest('hex')
}
