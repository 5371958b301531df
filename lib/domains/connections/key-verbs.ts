import { z } from 'zod'
import { addressOf } from '@/lib/domains/rows/address-hash'
import { replaceSecret, storeSecret } from '@/lib/domains/vault/secrets'
import { type Change, changed, unchanged, verb } from '@/lib/edge/verb'
import { type Connection, type ConnectionKey, Prisma } from '@/lib/generated/prisma/client'
import { isUniqueViolation, type PolicyTx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { requireFittingKey, requireSeenHost } from './checks'
import { forgetKeyResults } from './connection-failures'
import { AddKey, ChangeKey, mostKeys, ownKeyLabel, RenewKey } from './key-schemas'
import { lockConnection } from './reads'
import { ConnectionKey as KeyText, SeenHost } from './schemas'
import { freshHealth, noFailure, replaceKey, secretPurpose } from './secrets'
import { given } from './update-connection'

/** `id` names the connection. */
const One = z.object({ id: z.string() })
/** `key`: the id of its row, its label, or `main` for the connection's own. */
export const OneKey = One.extend({ key: z.string() })

/**
 * Replaces the connection's own key. Active runs keep the key they began with. `replaceConnectionKey` of lib/probes
 * tests the key first. Throws ConflictError when the connection now leads to another host than `host`.
 */
export const setConnectionKey = verb({
  name: 'connection.set-key',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Stores or replaces the key of a connection at once.',
  input: One.extend({ apiKey: KeyText, host: SeenHost }),
  output: z.object({ lastFour: z.string() }),
  audits: ['connection.set-key', 'connection.replace-key'],
  needsReauthentication: () => true,
  transaction: changePolicy,
  run: async ({ tx }, { id: idOrName, apiKey, host }) => {
    // Locked, so that two simultaneous changes do not leave an unused secret in the vault.
    const connection = await lockConnection(tx, idOrName)
    const { id, name, updatedAt } = connection
    requireSeenHost(connection, host)
    requireFittingKey(addressOf(connection), apiKey)
    const { secretId, before, after } = await replaceKey(tx, connection, apiKey)
    await tx.connection.update({
      where: { id },
      data: { secretId, updatedAt, lastTest: Prisma.DbNull },
    })
    await tx.connectionKey.updateMany({
      where: { connectionId: id, secretId: null },
      data: freshHealth,
    })
    await forgetKeyResults(tx, id)
    return changed(
      { lastFour: after ?? '' },
      {
        action: before === null ? 'connection.set-key' : 'connection.replace-key',
        subject: id,
        before: { name, lastFour: before },
        after: { name, lastFour: after },
      },
    )
  },
})

/** Removes the connection's own key. Active runs keep it. Returns false when the connection had none. */
export const removeConnectionKey = verb({
  name: 'connection.remove-key',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Removes the key of a connection.',
  reason: 'optional',
  input: One,
  output: z.boolean(),
  needsReauthentication: () => true,
  transaction: changePolicy,
  run: async ({ tx }, input) => {
    const connection = await lockConnection(tx, input.id)
    const { id, name, updatedAt } = connection
    if (connection.secretId === null) return unchanged(false)
    if (await tx.connectionKey.count({ where: { connectionId: id, NOT: { secretId: null } } })) {
      throw new ConflictError(
        'Remove the further keys of this connection first, or replace this key.',
      )
    }
    const { before } = await replaceKey(tx, connection, null)
    await tx.connection.update({
      where: { id },
      data: { secretId: null, updatedAt, lastTest: Prisma.DbNull },
    })
    await tx.connectionKey.deleteMany({ where: { connectionId: id } })
    await settlePool(tx, connection)
    await forgetKeyResults(tx, id)
    return changed(true, {
      subject: id,
      before: { name, lastFour: before },
      after: { name, lastFour: null },
    })
  },
})

/** Adds a further key. Requests choose among the keys by weight. */
export const addKey = verb({
  name: 'connection.add-key',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Stores a further key of a connection that has one.',
  input: AddKey.extend(One.shape),
  output: z.object({ id: z.string(), lastFour: z.string() }),
  needsReauthentication: () => true,
  transaction: changePolicy,
  run: ({ tx }, { id: idOrName, apiKey, host, ...facts }) =>
    changeKeys(tx, idOrName, async (connection) => {
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
      const { id: secretId, lastFour } = await storeSecret(tx, {
        purpose: secretPurpose,
        plaintext: apiKey,
      })
      const data = { ...facts, connectionId: connection.id, secretId }
      const { id } = await tx.connectionKey.create({ data })
      const after = { name: connection.name, ...facts, lastFour }
      return changed({ id, lastFour }, { subject: connection.id, after })
    }),
})

/** Changes how a key is used. Switching a key on ends its pause. Returns false when nothing changed. */
export const changeKey = verb({
  name: 'connection.change-key',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Changes the label, weight, limits or switch of a key.',
  reason: 'optional',
  input: ChangeKey.extend(OneKey.shape),
  output: z.boolean(),
  transaction: changePolicy,
  run: ({ tx }, { id, key, ...wanted }) =>
    changeKeys(tx, id, async (connection) => {
      const row = await requireKey(tx, connection, key)
      const before = factsOf(row)
      const after = { ...before, ...given(wanted) }
      const ended = wanted.enabled === true && row.cooledUntil !== null
      if (JSON.stringify(before) === JSON.stringify(after) && !ended) return unchanged(false)
      await tx.connectionKey.update({
        where: { id: row.id },
        data: { ...after, ...(wanted.enabled === true && noFailure) },
      })
      const { name } = connection
      return changed(true, {
        subject: connection.id,
        before: { name, ...before },
        after: { name, ...after },
      })
    }),
})

/** Replaces a further key, and deletes what was known about the old one. */
export const renewKey = verb({
  name: 'connection.renew-key',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Replaces a further key.',
  input: RenewKey.extend(OneKey.shape),
  output: z.object({ lastFour: z.string() }),
  audits: ['connection.replace-key'],
  needsReauthentication: () => true,
  transaction: changePolicy,
  run: ({ tx }, { id, key, apiKey, host }) =>
    changeKeys(tx, id, async (connection) => {
      requireSeenHost(connection, host)
      requireFittingKey(addressOf(connection), apiKey)
      const { id: rowId, secretId, label } = await requireKey(tx, connection, key)
      if (secretId === null) throw ownKey()
      const before = await tx.vaultSecret.findUnique({
        where: { id: secretId },
        select: { lastFour: true },
      })
      const { lastFour } = await replaceSecret(tx, secretId, apiKey)
      await tx.connectionKey.update({ where: { id: rowId }, data: freshHealth })
      await forgetKeyResults(tx, connection.id)
      const about = { name: connection.name, label }
      return changed(
        { lastFour },
        {
          action: 'connection.replace-key',
          subject: connection.id,
          before: { ...about, lastFour: before?.lastFour ?? null },
          after: { ...about, lastFour },
        },
      )
    }),
})

/** Removes a further key. Active runs stop using it, too. */
export const removeKey = verb({
  name: 'connection.remove-further-key',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Deletes a further key.',
  reason: 'optional',
  input: OneKey,
  audits: ['connection.remove-key'],
  needsReauthentication: () => true,
  transaction: changePolicy,
  run: ({ tx }, { id, key }) =>
    changeKeys(tx, id, async (connection) => {
      const { secretId, label } = await requireKey(tx, connection, key)
      if (secretId === null) throw ownKey()
      const { lastFour } = await tx.vaultSecret.delete({
        where: { id: secretId },
        select: { lastFour: true },
      })
      await forgetKeyResults(tx, connection.id)
      const about = { name: connection.name, label }
      return changed(undefined, {
        action: 'connection.remove-key',
        subject: connection.id,
        before: { ...about, lastFour },
        after: { ...about, lastFour: null },
      })
    }),
})

/**
 * Changes the keys under a lock, so that simultaneous changes see each other. `updatedAt` stays, as with every change
 * of secrets.
 */
async function changeKeys<T, A extends string>(
  tx: PolicyTx,
  idOrName: string,
  work: (connection: Connection) => Promise<Change<T, A>>,
): Promise<Change<T, A>> {
  const connection = await lockConnection(tx, idOrName)
  try {
    const done = await work(connection)
    await settlePool(tx, connection)
    return done
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new ConflictError('Another key of this connection has this label.', 'label')
  }
}

/** Removes the row of a single key without limits, whose requests then need no extra statement. */
async function settlePool(tx: PolicyTx, { id, updatedAt }: Connection): Promise<void> {
  const rows = await tx.connectionKey.findMany({ where: { connectionId: id } })
  const [only] = rows
  const isPlain = rows.length === 1 && only?.secretId === null && isUsual(only)
  if (isPlain) await tx.connectionKey.deleteMany({ where: { connectionId: id } })
  const pooled = rows.length > 0 && !isPlain
  await tx.connection.updateMany({
    where: { id, pooled: !pooled },
    data: { pooled, updatedAt },
  })
}

function isUsual(row: ConnectionKey): boolean {
  const { label, weight, enabled, requestsPerMinute, tokensPerMinute } = row
  const isNamed = label !== ownKeyLabel || weight !== 1
  return !isNamed && enabled && requestsPerMinute === null && tokensPerMinute === null
}

async function ensureOwn(tx: PolicyTx, connectionId: string): Promise<ConnectionKey> {
  const known = await tx.connectionKey.findFirst({ where: { connectionId, secretId: null } })
  return known ?? tx.connectionKey.create({ data: { connectionId, label: ownKeyLabel } })
}

async function requireKey(
  tx: PolicyTx,
  connection: Connection,
  key: string,
): Promise<ConnectionKey> {
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

function ownKey(): ValidationError {
  return new ValidationError({
    apiKey: 'This is the key of the connection itself. Replace or remove it there.',
  })
}
