import { z } from 'zod'
import { shownPart, storeSecret } from '@/lib/domains/vault/secrets'
import { type Change, changed, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import { type ChangeTx, isUniqueViolation, type PolicyTx } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { requireAllowedAddress, requireFittingKey, requireSeenHost } from './checks'
import { forgetKeyResults } from './connection-failures'
import { changedHeaders, HeaderChanges, tooManyHeaders } from './header-changes'
import { connectionColumns, connectionFacts, openHeaders } from './open-connection'
import { connectionUsers, lockConnection } from './reads'
import { ConnectionFacts, type ConnectionUsers, CreateConnection, SeenHost } from './schemas'
import { secretPurpose, storeHeaders } from './secrets'
import type { ZoneConfirmation } from './shape'
import { confirmedZone } from './trust-zone'

/**
 * Adds a connection; its key and headers go into the vault. Throws ConflictError when the name is taken,
 * ValidationError for an address that nobody allowed, or for an unconfirmed trust zone that contradicts it (SPEC A8).
 * Resolves host names before the transaction begins.
 */
export const createConnection = verb({
  name: 'connection.create',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Adds a connection.',
  input: CreateConnection,
  output: z.object({ id: z.string() }),
  needsReauthentication: ({ apiKey, headers }) =>
    apiKey !== null || Object.keys(headers).length > 0,
  transaction: 'later',
  run: async ({ ctx, change }, input) => {
    const { apiKey, headers: changes, confirmZone, reason, ...given } = input
    const facts = parseInput(ConnectionFacts, given)
    requireFittingKey(facts, apiKey)
    await requireAllowedAddress(facts)
    const confirmed = await confirmedZone(ctx, facts, { confirmZone, reason, stored: null })
    const headers = changedHeaders({}, changes)
    try {
      return await change(async (tx) => {
        const added = await insertConnection(tx, { facts, apiKey, headers, confirmed })
        return { ...added, changes: added.changes.map((each) => ({ ...each, reason })) }
      })
    } catch (error) {
      if (isUniqueViolation(error))
        throw new ConflictError('Another connection has this name.', 'name')
      throw error
    }
  },
})

type NewConnection = {
  facts: ConnectionFacts
  apiKey: string | null
  headers: Record<string, string>
  /** Confirmation of a trust zone that the address contradicts; null: the zone fits. */
  confirmed: ZoneConfirmation | null
}

/** Writes a new connection, its key and headers into the vault. Part of a verb's transaction. */
export async function insertConnection(
  tx: ChangeTx,
  { facts, apiKey, headers, confirmed }: NewConnection,
): Promise<Change<{ id: string }>> {
  const secret =
    apiKey === null ? null : await storeSecret(tx, { purpose: secretPurpose, plaintext: apiKey })
  const { id } = await tx.connection.create({
    data: {
      ...connectionColumns(facts),
      ...(confirmed && { zoneConfirmation: confirmed }),
      secretId: secret?.id ?? null,
      ...(await storeHeaders(tx, null, headers)),
    },
  })
  const after = {
    ...facts,
    hasStoredKey: secret !== null,
    ...(apiKey !== null && { lastFour: shownPart(apiKey) }),
    headerNames: Object.keys(headers),
    ...(confirmed && { zoneConfirmedFor: confirmed.host }),
  }
  return changed({ id }, { subject: id, after })
}

/** Deletes a connection. Past runs keep its name. Throws ConflictError, which names its models, while it has any. */
export const deleteConnection = verb({
  name: 'connection.delete',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Deletes a connection that nothing uses.',
  reason: 'optional',
  input: z.object({ id: z.string() }),
  transaction: changePolicy,
  run: ({ tx }, { id }) => removeConnection(tx, id),
})

/** Deletes a connection with its secrets. Throws ConflictError while it has models. Part of a verb's transaction. */
export async function removeConnection(tx: PolicyTx, idOrName: string): Promise<Change<void>> {
  // A transaction that adds a model waits for this lock, and then finds no connection.
  const row = await lockConnection(tx, idOrName)
  const { id } = row
  const users = await connectionUsers(tx, id)
  if (users.models.length > 0) throw new ConflictError(inUse(row.name, users))
  const keys = await tx.connectionKey.findMany({ where: { connectionId: id } })
  await tx.connection.delete({ where: { id } })
  const secrets = [row.secretId, row.headersSecretId, ...keys.map((key) => key.secretId)].filter(
    (each) => each !== null,
  )
  await tx.vaultSecret.deleteMany({ where: { id: { in: secrets } } })
  const before = { ...connectionFacts(row), headerNames: row.headerNames }
  return changed(undefined, { subject: id, before })
}

const mostNames = 5

function inUse(name: string, { models, configurations }: ConnectionUsers): string {
  const modelNames = listed(models.map(({ modelId }) => modelId))
  if (configurations.length === 0) {
    return `${name} has models: ${modelNames}. Delete them first. No configuration uses them.`
  }
  const users = listed(configurations.map((each) => each.name))
  return `${name} is in use. These configurations use its models (${modelNames}): ${users}. Change the models of those configurations, delete its models, and then delete the connection.`
}

function listed(names: string[]): string {
  const rest = names.length - mostNames
  return rest > 0 ? `${names.slice(0, mostNames).join(', ')} and ${rest} more` : names.join(', ')
}

/**
 * Headers that are not named stay, those given as null go; values are sealed and never shown again. Returns the names
 * there are now. Throws ConflictError when the connection leads to another host than `host`.
 */
export const setConnectionHeaders = verb({
  name: 'connection.set-headers',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Sets or removes secret headers of a connection.',
  reason: 'optional',
  input: z.object({ id: z.string(), headers: HeaderChanges, host: SeenHost }),
  output: z.object({ headerNames: z.array(z.string()) }),
  needsReauthentication: () => true,
  transaction: changePolicy,
  run: async ({ tx }, { id: idOrName, headers: changes, host }) => {
    const connection = await lockConnection(tx, idOrName)
    const { id, name, updatedAt } = connection
    requireSeenHost(connection, host)
    const headers = changedHeaders(await openHeaders(tx, connection), changes)
    if (tooManyHeaders(headers)) throw new ValidationError({ headers: 'At most 20 headers.' })
    const stored = await storeHeaders(tx, connection.headersSecretId, headers)
    await tx.connection.update({
      where: { id },
      data: { ...stored, updatedAt, lastTest: Prisma.DbNull },
    })
    await forgetKeyResults(tx, id)
    const { headerNames } = stored
    const valuesSet = Object.keys(changes).filter((header) => changes[header] !== null)
    return changed(
      { headerNames },
      {
        subject: id,
        before: { name, headerNames: connection.headerNames },
        after: { name, headerNames, valuesSet },
      },
    )
  },
})
