import { addressOf } from '@/lib/domains/rows/address-hash'
import { replaceSecret, storeSecret } from '@/lib/domains/vault/secrets'
import type { Connection } from '@/lib/generated/prisma/client'
import type { ChangeTx, Tx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { requireFittingKey } from './checks'
import { changedHeaders, type HeaderChanges, tooManyHeaders } from './header-changes'
import { openHeaders } from './open-connection'
import type { ConnectionFacts } from './schemas'
import { secretsHost } from './shared/wire-address'

/** The purpose of these secrets in the vault, to which the ciphertext is bound. */
export const secretPurpose = 'connection-key'
const headersPurpose = 'connection-headers'

type Wanted = {
  after: ConnectionFacts
  /** Undefined = keep, null = take away. */
  apiKey: string | null | undefined
  headers: HeaderChanges | undefined
}

/** Why secrets and findings of a connection change without the policy lock. */
type SecretChanges = {
  columns: Partial<Pick<Connection, 'secretId' | 'headersSecretId' | 'headerNames'>>
  /** The part for the audit, without secrets. */
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/**
 * Changes the secrets of a connection that is changed. Throws ValidationError where a secret would go to a host it was
 * not entered for.
 */
export async function secretChanges(
  tx: ChangeTx,
  row: Connection,
  { after, apiKey, headers }: Wanted,
): Promise<SecretChanges> {
  requireFittingKey(after, apiKey)
  const from = secretsHost(addressOf(row))
  const isMoved = secretsHost(after) !== from
  if (isMoved) {
    requireAnew(row, from, { apiKey, headers })
    await requireNoFurtherKeys(tx, row, from)
  }
  if (apiKey === null) await requireNoFurtherKeys(tx, row, from)
  // A process that read the old address and opens its secret only now finds nothing, and not the secret of another
  // host.
  const inPlace = !isMoved
  const changes: SecretChanges = { columns: {}, before: {}, after: {} }
  if (apiKey !== undefined) {
    const key = await replaceKey(tx, row, apiKey, { inPlace })
    changes.columns.secretId = key.secretId
    changes.before.lastFour = key.before
    changes.after.lastFour = key.after
    await tx.connectionKey.updateMany({
      where: { connectionId: row.id, secretId: null },
      data: freshHealth,
    })
  }
  if (headers !== undefined) {
    const now = changedHeaders(await openHeaders(tx, row), headers)
    if (tooManyHeaders(now)) throw new ValidationError({ headers: 'At most 20 headers.' })
    const stored = await storeHeaders(tx, row.headersSecretId, now, { inPlace })
    Object.assign(changes.columns, stored)
    changes.before.headerNames = row.headerNames
    changes.after.headerNames = Object.keys(now)
  }
  return changes
}

/**
 * Refuses the change while there are further keys: they were entered for the old host, and are not sent without the own
 * key.
 */
async function requireNoFurtherKeys(tx: Tx, row: Connection, from: string | null): Promise<void> {
  if (!row.pooled) return
  const further = await tx.connectionKey.findMany({
    where: { connectionId: row.id, NOT: { secretId: null } },
    select: { label: true },
  })
  if (further.length === 0) return
  throw new ValidationError({
    apiKey: `The further keys (${further.map(({ label }) => label).join(', ')}) were given for ${from} and are not sent to another host. Remove them first.`,
  })
}

function requireAnew(
  row: Connection,
  from: string | null,
  { apiKey, headers = {} }: Pick<Wanted, 'apiKey' | 'headers'>,
): void {
  if (row.secretId !== null && apiKey === undefined) {
    throw new ValidationError({
      apiKey: `The stored key was given for ${from} and is not sent to another host. Enter the key for the new host, or remove the key.`,
    })
  }
  const left = row.headerNames.filter((name) => !Object.hasOwn(headers, name))
  if (left.length > 0) {
    throw new ValidationError({
      headers: `The stored headers were given for ${from} and are not sent to another host. Enter these headers again, or remove them: ${left.join(', ')}.`,
    })
  }
}

type KeyChange = {
  secretId: string | null
  /** The last four characters before and after; null = there was, or is, no key. */
  before: string | null
  after: string | null
}

/**
 * Replaces the key of a connection, or removes it with null, in the transaction that locked the row. `inPlace` false =
 * stored under a new id, so that the old id opens nothing any more.
 */
export async function replaceKey(
  tx: ChangeTx,
  { secretId }: Pick<Connection, 'secretId'>,
  key: string | null,
  { inPlace } = { inPlace: true },
): Promise<KeyChange> {
  const stored =
    secretId === null
      ? null
      : await tx.vaultSecret.findUnique({ where: { id: secretId }, select: { lastFour: true } })
  const before = stored?.lastFour ?? null
  if (key !== null && secretId !== null && inPlace) {
    const { lastFour } = await replaceSecret(tx, secretId, key)
    return { secretId, before, after: lastFour }
  }
  if (secretId !== null) await tx.vaultSecret.delete({ where: { id: secretId } })
  if (key === null) return { secretId: null, before, after: null }
  const { id, lastFour } = await storeSecret(tx, { purpose: secretPurpose, plaintext: key })
  return { secretId: id, before, after: lastFour }
}

/** The columns of a key that is switched on again. */
export const noFailure = { cooledUntil: null, lastCategory: '', lastAdvice: '', lastFailedAt: null }

/** The columns of a key without any results yet. */
export const freshHealth = {
  ...noFailure,
  windowStart: null,
  requests: 0,
  tokens: 0,
  leftRequests: null,
  leftRequestsUntil: null,
  leftTokens: null,
  leftTokensUntil: null,
}

/**
 * Stores all headers of a connection as one secret, or none without headers. Returns the columns that go with it.
 * `inPlace` false = stored under a new id, so that the old id opens nothing any more.
 */
export async function storeHeaders(
  tx: ChangeTx,
  secretId: string | null,
  headers: Record<string, string>,
  { inPlace } = { inPlace: true },
): Promise<{ headerNames: string[]; headersSecretId: string | null }> {
  const headerNames = Object.keys(headers)
  const plaintext = JSON.stringify(headers)
  if (headerNames.length > 0 && secretId !== null && inPlace) {
    await replaceSecret(tx, secretId, plaintext, { hidden: true })
    return { headerNames, headersSecretId: secretId }
  }
  if (secretId !== null) await tx.vaultSecret.delete({ where: { id: secretId } })
  if (headerNames.length === 0) return { headerNames, headersSecretId: null }
  const { id } = await storeSecret(tx, { purpose: headersPurpose, plaintext, hidden: true })
  return { headerNames, headersSecretId: id }
}
