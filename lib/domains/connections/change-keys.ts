import type { Connection, ConnectionKey } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { isUniqueViolation, type Tx, withTransaction } from '../../kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { addressOf } from '../rows/address-hash'
import { replaceSecret } from '../vault/replace-secret'
import { storeSecret } from '../vault/store-secret'
import { forgetKeyFailures } from './connection-failures'
import { requireFittingKey } from './fitting-key'
import { AddKey, ChangeKey, mostKeys, ownKeyLabel, RenewKey } from './key-schemas'
import { lockConnection } from './lock-connection'
import { requireSeenHost } from './require-seen-host'
import { secretPurpose } from './secret-purpose'

/** How it is known that a key of a pool is meant: the id of its row, its label, or `main` for the connection's own. */
type WhichKey = { connectionId: string; key: string }

const noFailure = { cooledUntil: null, lastCategory: '', lastAdvice: '', lastFailedAt: null }

/** Of another key nothing is known. */
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

/** Stores a further key of a connection that has one; requests choose among them by weight. Admins only. */
export async function addKey(
  ctx: Ctx,
  connectionId: string,
  input: AddKey,
): Promise<{ id: string; lastFour: string }> {
  const { apiKey, host, ...facts } = parseInput(AddKey, input)
  return changeKeys(ctx, connectionId, async (tx, connection) => {
    requireSeenHost(connection, host)
    requireFittingKey(addressOf(connection), apiKey)
    if (connection.secretId === null) {
      throw new ValidationError({ apiKey: 'Store the key of the connection first.' })
    }
    await ensureOwn(tx, connection.id)
    const count = await tx.connectionKey.count({ where: { connectionId: connection.id } })
    if (count >= mostKeys) {
      throw new ValidationError({ apiKey: `A connection has at most ${mostKeys} keys.` })
    }
    const secret = await storeSecret(tx, { purpose: secretPurpose, plaintext: apiKey })
    const data = { ...facts, connectionId: connection.id, secretId: secret.id }
    const { id } = await tx.connectionKey.create({ data })
    await recordAudit(tx, ctx, {
      action: 'connection.add-key',
      objectType: 'connection',
      objectId: connection.id,
      after: { name: connection.name, ...facts, lastFour: secret.lastFour },
    })
    return { id, lastFour: secret.lastFour }
  })
}

/** Changes how a key is used; false when nothing changed. Switching it on ends its pause. Admins only. */
export async function changeKey(ctx: Ctx, which: WhichKey, input: ChangeKey): Promise<boolean> {
  const { reason, ...wanted } = parseInput(ChangeKey, input)
  return changeKeys(ctx, which.connectionId, async (tx, connection) => {
    const row = await requireKey(tx, connection, which.key)
    const before = factsOf(row)
    const after = { ...before, ...given(wanted) }
    const ended = wanted.enabled === true && row.cooledUntil !== null
    if (JSON.stringify(before) === JSON.stringify(after) && !ended) return false
    await tx.connectionKey.update({
      where: { id: row.id },
      data: { ...after, ...(wanted.enabled === true && noFailure) },
    })
    await recordAudit(tx, ctx, {
      action: 'connection.change-key',
      objectType: 'connection',
      objectId: connection.id,
      before: { name: connection.name, ...before },
      after: { name: connection.name, ...after },
      reason,
    })
    return true
  })
}

/** Puts another key in the place of a further one, and forgets what was known of that. Admins only. */
export async function renewKey(
  ctx: Ctx,
  which: WhichKey,
  input: RenewKey,
): Promise<{ lastFour: string }> {
  const { apiKey, host } = parseInput(RenewKey, input)
  return changeKeys(ctx, which.connectionId, async (tx, connection) => {
    requireSeenHost(connection, host)
    requireFittingKey(addressOf(connection), apiKey)
    const row = await requireKey(tx, connection, which.key)
    if (row.secretId === null) throw ownKey()
    const before = await tx.vaultSecret.findUnique({
      where: { id: row.secretId },
      select: { lastFour: true },
    })
    const { lastFour } = await replaceSecret(tx, row.secretId, apiKey)
    await tx.connectionKey.update({ where: { id: row.id }, data: freshHealth })
    await forgetKeyFailures(tx, connection.id)
    await recordAudit(tx, ctx, {
      action: 'connection.replace-key',
      objectType: 'connection',
      objectId: connection.id,
      before: { name: connection.name, label: row.label, lastFour: before?.lastFour ?? null },
      after: { name: connection.name, label: row.label, lastFour },
    })
    return { lastFour }
  })
}

/** Deletes a further key from the vault. Runs that are going use it no more. Admins only. */
export async function removeKey(ctx: Ctx, which: WhichKey, input: WithReason = {}): Promise<void> {
  const { reason } = parseInput(WithReason, input)
  await changeKeys(ctx, which.connectionId, async (tx, connection) => {
    const row = await requireKey(tx, connection, which.key)
    if (row.secretId === null) throw ownKey()
    const { lastFour } = await tx.vaultSecret.delete({
      where: { id: row.secretId },
      select: { lastFour: true },
    })
    await forgetKeyFailures(tx, connection.id)
    await recordAudit(tx, ctx, {
      action: 'connection.remove-key',
      objectType: 'connection',
      objectId: connection.id,
      before: { name: connection.name, label: row.label, lastFour },
      after: { name: connection.name, label: row.label, lastFour: null },
      reason,
    })
  })
}

/** Locked, so that two at once agree on what a connection has. Its `updatedAt` stays, as with any change of its secrets. */
async function changeKeys<T>(
  ctx: Ctx,
  connectionId: string,
  work: (tx: Tx, connection: Connection) => Promise<T>,
): Promise<T> {
  requireRole(ctx, 'admin')
  const id = parseId(connectionId, 'The connection')
  try {
    return await withTransaction(async (tx) => {
      const connection = await lockConnection(tx, id)
      const done = await work(tx, connection)
      await settlePool(tx, connection)
      return done
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new ConflictError('Another key of this connection has this label.', 'label')
  }
}

/** A single key without limits needs no row: requests to it cost nothing more then. */
export async function settlePool(tx: Tx, { id, updatedAt }: Connection): Promise<void> {
  const rows = await tx.connectionKey.findMany({ where: { connectionId: id } })
  const [only] = rows
  const isPlain = rows.length === 1 && only?.secretId === null && isUsual(only)
  if (isPlain) await tx.connectionKey.deleteMany({ where: { connectionId: id } })
  const pooled = rows.length > 0 && !isPlain
  await tx.connection.updateMany({ where: { id, pooled: !pooled }, data: { pooled, updatedAt } })
}

function isUsual(row: ConnectionKey): boolean {
  const { label, weight, enabled, requestsPerMinute, tokensPerMinute } = row
  const isNamed = label !== ownKeyLabel || weight !== 1
  return !isNamed && enabled && requestsPerMinute === null && tokensPerMinute === null
}

async function ensureOwn(tx: Tx, connectionId: string): Promise<ConnectionKey> {
  const known = await tx.connectionKey.findFirst({ where: { connectionId, secretId: null } })
  return known ?? tx.connectionKey.create({ data: { connectionId, label: ownKeyLabel } })
}

async function requireKey(tx: Tx, connection: Connection, key: string): Promise<ConnectionKey> {
  const rows = await tx.connectionKey.findMany({ where: { connectionId: connection.id } })
  const found = rows.find((row) => row.id === key) ?? rows.find((row) => row.label === key)
  if (found) return found
  const hasOwn = rows.some((row) => row.secretId === null)
  if (key === ownKeyLabel && connection.secretId !== null && !hasOwn) {
    return ensureOwn(tx, connection.id)
  }
  throw new NotFoundError('The key')
}

function factsOf(row: ConnectionKey) {
  const { label, weight, enabled, requestsPerMinute, tokensPerMinute } = row
  return { label, weight, enabled, requestsPerMinute, tokensPerMinute }
}

function given(wanted: object): object {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}

function ownKey(): ValidationError {
  return new ValidationError({
    apiKey: 'This is the key of the connection itself. Replace or remove it there.',
  })
}
