import { createHmac } from 'node:crypto'
import { setTimeout as pauseFor } from 'node:timers/promises'
import type { HashCaller } from '@/lib/domains/users/passwords'
import { Prisma } from '@/lib/generated/prisma/client'
import { db, type Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { RateLimitedError } from '@/lib/kernel/errors'
import { processState } from '@/lib/kernel/process-state'
import { addressPrefix } from './client-address'

/** Pass it to `forgiveAttempt` when the secret was right. `from` decides who is served first under load. */
export type Attempt = AttemptCounters

type Clock = { now?: Date; sleep?: Sleep }

/**
 * Counts an attempt at a secret as failed, and slows it down. Call it before you look at any password, TOTP code or
 * recovery code, and `forgiveAttempt` in the transaction that acts on the right one; do nothing more when it was wrong.
 *
 * - `account` is the e-mail address that was typed, whether or not an account has it.
 * - `secret` is `password`, or `code` for TOTP and recovery codes (both count together): codes are short, so they
 *   have longer delays. Ask for a code only after the password was right.
 * - `origin`: give `sessionId` when the person is signed in already (password changes, "password again" prompts). Their
 *   attempts are then counted for that session alone, and failures of others never delay them.
 *
 * Throws RateLimitedError, with the seconds to wait, after five failures of this account from this origin (SPEC A5);
 * no account is ever closed. An attempt of a stranger may take up to five seconds longer while many fail. Holds no
 * database connection while it waits. Passkeys need no counting: they cannot be guessed.
 */
export async function beginAttempt(
  account: string,
  secret: AttemptSecret,
  origin: AttemptOrigin,
  { now = new Date(), sleep = pauseFor }: Clock = {},
): Promise<Attempt> {
  const prefixes = origin.sessionId || origin.browserId ? [] : await readGoodPrefixes(account, now)
  const counters = countersOf(account, secret, origin, prefixes)
  const { own, shared } = counters
  await countOwn(own, now)
  const failures = await countShared(shared, now)
  await forgetOld(moment(now))
  const longest = Math.max(0, ...failures.map(pauseMs))
  if (longest > 0) await waitInLine(shared[0]?.id ?? own.id, longest, sleep)
  return counters
}

/** Uncounts an attempt that was right, and deletes the failures of this account from this origin. */
export async function forgiveAttempt(tx: Tx, { own, shared }: Attempt): Promise<void> {
  await tx.signInFailure.deleteMany({ where: { id: own.id } })
  // In the order of `countShared`.
  for (const { id } of byId(shared)) {
    await tx.signInFailure.updateMany({
      where: { id, failures: { gt: 0 } },
      data: { failures: { decrement: 1 } },
    })
  }
}

/** Checks the delay and counts in one statement, so that simultaneous attempts, in any process, cannot bypass it. */
async function countOwn(counter: Counter, now: Date): Promise<void> {
  const { id, subject, longestDelaySeconds, forgetMs } = counter
  const [at, forgetAt] = [moment(now), moment(new Date(now.getTime() + forgetMs))]
  const counted = await db().$executeRaw`
    INSERT INTO sign_in_failures AS known (id, subject, failures, "at", "forgetAt")
    VALUES (${id}::uuid, ${subject}, 1, ${at}, ${forgetAt})
    ON CONFLICT (id) DO UPDATE SET
      failures = CASE WHEN known."forgetAt" <= ${at} THEN 1 ELSE known.failures + 1 END,
      "at" = excluded."at",
      "forgetAt" = excluded."forgetAt"
    WHERE known."forgetAt" <= ${at} OR known.failures < ${freeFailures}
      OR known."at" + interval '1 second'
        * least(${longestDelaySeconds}, 2 ^ least(known.failures - ${freeFailures - 1}, 20)) <= ${at}`
  if (counted > 0) return
  const row = await db().signInFailure.findUnique({ where: { id } })
  const readyMs = row ? row.at.getTime() + delaySeconds(row.failures, counter) * 1000 : 0
  const seconds = Math.max(1, Math.ceil((readyMs - now.getTime()) / 1000))
  throw tooMany(seconds)
}

const freeFailures = 5

function delaySeconds(failures: number, { longestDelaySeconds }: Counter): number {
  return Math.min(longestDelaySeconds, 2 ** (failures - freeFailures + 1))
}

/** Counts each, always in the same order, so that two attempts never cause a deadlock. */
async function countShared(counters: readonly Counter[], now: Date): Promise<number[]> {
  if (counters.length === 0) return []
  const at = moment(now)
  const rows = byId(counters).map(({ id, subject, forgetMs }) => {
    const forgetAt = moment(new Date(now.getTime() + forgetMs))
    return Prisma.sql`(${id}::uuid, ${subject}, 1, ${at}, ${forgetAt})`
  })
  const counted = await db().$queryRaw<{ failures: number }[]>`
    INSERT INTO sign_in_failures AS known (id, subject, failures, "at", "forgetAt")
    VALUES ${Prisma.join(rows)}
    ON CONFLICT (id) DO UPDATE SET
      failures = CASE WHEN known."forgetAt" <= ${at} THEN 1 ELSE known.failures + 1 END,
      "forgetAt" = CASE WHEN known."forgetAt" <= ${at} THEN excluded."forgetAt" ELSE known."forgetAt" END,
      "at" = excluded."at"
    RETURNING failures`
  return counted.map(({ failures }) => failures)
}

function byId(counters: readonly Counter[]): Counter[] {
  return counters.toSorted((a, b) => a.id.localeCompare(b.id))
}

/** Deletes a few old counters at each attempt, so that a flood of made-up accounts does not fill the table. */
async function forgetOld(at: Prisma.Sql): Promise<void> {
  await db().$executeRaw`
    DELETE FROM sign_in_failures WHERE id IN (
      SELECT id FROM sign_in_failures WHERE "forgetAt" <= ${at}
      ORDER BY "forgetAt" LIMIT 10 FOR UPDATE SKIP LOCKED)`
}

/**
 * Returns the delay of unknown networks and browsers in milliseconds: none up to 20 failures an hour, then more, at
 * most five seconds.
 */
function pauseMs(failures: number): number {
  return Math.min(5_000, Math.max(0, failures - 20) * 250)
}

function tooMany(seconds: number): RateLimitedError {
  return new RateLimitedError(
    `Too many failed attempts. Try again in ${inWords(seconds)}.`,
    seconds,
  )
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

/** Returns the time as UTC text, because the column has no time zone. */
function moment(at: Date): Prisma.Sql {
  return Prisma.sql`${at.toISOString()}::timestamp`
}

const rememberedMs = 90 * 86_400_000

/**
 * Returns the address prefixes from which this account signed in during the last 90 days; none for an unknown account.
 * It is one statement in both cases, so that its time does not show whether the account exists.
 */
async function readGoodPrefixes(account: string, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - rememberedMs).toISOString()
  const rows = await db().$queryRaw<{ ipAddress: string }[]>`
    SELECT DISTINCT sessions."ipAddress" FROM users JOIN sessions ON sessions."userId" = users.id
    WHERE users.email = ${account.trim().toLowerCase()} AND sessions."ipAddress" IS NOT NULL
      AND sessions."createdAt" > ${since}::timestamp
    LIMIT 500`
  return [...new Set(rows.map(({ ipAddress }) => addressPrefix(ipAddress)))]
}

/** `code` = TOTP and recovery codes. */
export type AttemptSecret = 'password' | 'code'

/** The origin of an attempt, the most reliable kind first. */
export type AttemptOrigin = {
  /** The session of a person who is already signed in. */
  sessionId?: string | null
  /** From `knownBrowser`: a browser in which this account signed in before. */
  browserId?: string | null
  /** From `countedAddress`: null when it may be a proxy's, and not the person's own. */
  address: string | null
}

/** A row of `sign_in_failures`. */
type Counter = { id: string; subject: string; longestDelaySeconds: number; forgetMs: number }

type AttemptCounters = { from: HashCaller; own: Counter; shared: readonly Counter[] }

const hourMs = 3_600_000

/**
 * Returns the counters of an attempt. `own` counters set delays: account and origin together, so that failures
 * elsewhere never delay it. `shared` counters slow down unknown origins: the account from all unknown addresses, and
 * the address with all accounts. A known origin has none: a session, a browser, or an address that this account signed
 * in from.
 */
function countersOf(
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
  // Only a person who knows the password is asked for a code. So counting by account cannot be used to block others, and
  // more addresses do not help to guess the code.
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
/** The longest delay of origins that everybody shares, because anybody could keep it at the maximum. */
const unknownOriginSeconds = 5

/** Returns a keyed hash, so that the table does not show which accounts and addresses failed. */
function subjectOf(parts: string[]): Pick<Counter, 'id' | 'subject'> {
  const key = env().NEXTAUTH_SECRET
  const subject = createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex')
  const id = subject.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return { id, subject }
}

type Sleep = (ms: number) => Promise<unknown>

/** The most attempts that wait at once: enough that a flood from hundreds of networks leaves room for others. */
const mostWaiting = 1_000
const mostWaitingOfOne = 5

/** The attempts that wait, by their kind. */
const waitingByKind = processState(() => new Map<string, number>())

/**
 * Resolves after this time. At most 5 of one kind and 1,000 in all wait at once in a process, so that waiting slows
 * down a flood and uses few resources; RateLimitedError for others.
 */
async function waitInLine(kind: string, ms: number, sleep: Sleep): Promise<void> {
  const waiting = waitingByKind.value
  const ofThisKind = waiting.get(kind) ?? 0
  const all = [...waiting.values()].reduce((sum, each) => sum + each, 0)
  if (ofThisKind >= mostWaitingOfOne || all >= mostWaiting) {
    const seconds = Math.ceil(ms / 1000)
    throw new RateLimitedError(
      'Many sign-ins are failing right now. Try again in a few seconds.',
      seconds,
    )
  }
  waiting.set(kind, ofThisKind + 1)
  try {
    await sleep(ms)
  } finally {
    const left = (waiting.get(kind) ?? 1) - 1
    if (left > 0) waiting.set(kind, left)
    else waiting.delete(kind)
  }
}
