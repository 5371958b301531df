import { z } from 'zod'
import { Prisma } from '@/lib/generated/prisma/client'
import { type Outage, outageDigest } from '@/lib/protocol/outage'

/** An error of PostgreSQL or of the connection to it: its code, and Prisma's kind for some of them. */
type Fault = { code: string | undefined; kind?: string | undefined; message: string }

const OfPrisma = z.object({
  code: z.string(),
  meta: z.object({
    driverAdapterError: z.object({
      cause: z.object({ originalCode: z.string().optional(), kind: z.string() }),
    }),
  }),
})

function faultOf(error: unknown): Fault | null {
  if (!(error instanceof Error)) return null
  const { message } = error
  const details = OfPrisma.safeParse(error).data
  if (!details) return { code: 'code' in error ? String(error.code) : undefined, message }
  const { originalCode: code, kind } = details.meta.driverAdapterError.cause
  return { code, kind, message }
}

/** Returns whether the database could not do what a statement asked for, or did not answer. */
export function isDatabaseError(error: unknown): boolean {
  return (
    error instanceof Prisma.PrismaClientKnownRequestError ||
    error instanceof Prisma.PrismaClientUnknownRequestError ||
    error instanceof Prisma.PrismaClientInitializationError ||
    isUnreachable(error)
  )
}

const awayKinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout'])
/** PostgreSQL stops or starts; and what the network says where it is not there. */
const awayCodes = new Set([
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08001',
  '08004',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])
/** Errors of the driver that carry no code. */
const awayWords =
  /^(Connection terminated|Client (was closed|has encountered a connection error) and is not queryable|Query read timeout)/
/**
 * PostgreSQL's error for a database that an operator closed for a while (`ALLOW_CONNECTIONS false`), with code 55000.
 */
const closedWords = /\bnot currently accepting connections\b/

/** Returns whether a statement failed because PostgreSQL does not answer, and not because of its content. */
function isUnreachable(error: unknown): boolean {
  const fault = faultOf(error)
  if (!fault) return false
  const { code = '', kind = '', message } = fault
  const isClosed = code === '55000' && closedWords.test(message)
  return awayKinds.has(kind) || awayCodes.has(code) || awayWords.test(message) || isClosed
}

/** Returns whether a statement got no connection, because others use all that this process, or PostgreSQL, has. */
function isCrowdedOut(error: unknown): boolean {
  const fault = faultOf(error)
  return (
    fault?.code === '53300' ||
    fault?.kind === 'TooManyConnections' ||
    fault?.message === 'timeout exceeded when trying to connect' ||
    (fault?.code === 'P2028' && fault.message.includes('Unable to start a transaction'))
  )
}

/** Returns whether PostgreSQL, or this process, could not store something because its disk is full. */
export function isDiskFull(error: unknown): boolean {
  const code = faultOf(error)?.code
  return code === '53100' || code === 'ENOSPC'
}

/** Returns whether PostgreSQL refused a statement because of the check constraint with this name. */
export function failedCheck(error: unknown, name: string): boolean {
  const fault = faultOf(error)
  return fault?.code === '23514' && fault.message.includes(`"${name}"`)
}

/**
 * Returns whether an error, or what caused it, says that the database is away or full: nothing is wrong with the work
 * itself, which can be done later.
 */
export function isOutage(error: unknown): boolean {
  if (isUnreachable(error) || isCrowdedOut(error) || isDiskFull(error)) return true
  return error instanceof Error && error.cause !== undefined && isOutage(error.cause)
}

/**
 * Returns whether PostgreSQL ended a transaction because of another one, as it does to end a deadlock. It stored nothing, and
 * may be tried again.
 */
export function isContended(error: unknown): boolean {
  const { code, kind } = faultOf(error) ?? {}
  return code === '40P01' || code === '40001' || kind === 'TransactionWriteConflict'
}

/** Returns whether PostgreSQL stopped a statement because it took too long (`statement_timeout`). */
function isStopped(error: unknown): boolean {
  return faultOf(error)?.code === '57014'
}

/** Returns whether PostgreSQL takes no connection yet, because it starts or recovers from a crash. */
export function isStarting(error: unknown): boolean {
  const fault = faultOf(error)
  return fault?.code === '57P03' && !fault.message.includes('shutting down')
}

/** Returns whether a statement named a table that does not exist. */
export function isWithoutTable(error: unknown): boolean {
  return faultOf(error)?.code === '42P01'
}

/** Returns what keeps the database from its work, as a failed statement says it; null = something else is wrong. */
export function outageOf(error: unknown): Outage | null {
  if (isUnreachable(error)) return 'away'
  if (isDiskFull(error)) return 'full'
  if (isCrowdedOut(error)) return 'crowded'
  return isStopped(error) ? 'stopped' : null
}

/** Adds the digest of its outage to an error, so that a page which fails with it can say what happened. Returns it. */
export function withDigest(error: unknown): unknown {
  const outage = outageOf(error)
  return outage && error instanceof Error
    ? Object.assign(error, { digest: outageDigest(outage) })
    : error
}
