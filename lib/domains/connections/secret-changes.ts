import type { Connection } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import { secretsHost } from '../../protocol/wire-address'
import { addressOf } from '../rows/address-hash'
import { requireFittingKey } from './fitting-key'
import { changedHeaders, type HeaderChanges, tooManyHeaders } from './header-changes'
import { openHeaders } from './open-connection'
import { freshHealth, replaceKey } from './replace-key'
import type { ConnectionFacts } from './schemas'
import { storeHeaders } from './store-headers'

type Wanted = {
  after: ConnectionFacts
  /** Undefined = keep, null = take away. */
  apiKey: string | null | undefined
  headers: HeaderChanges | undefined
}

type SecretChanges = {
  columns: Partial<Pick<Connection, 'secretId' | 'headersSecretId' | 'headerNames'>>
  /** For the audit: nothing that is secret. */
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** Changes the secrets that go with a connection's change, or refuses to let them go to a host they were not for. */
export async function secretChanges(
  tx: Tx,
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
  // Who read the old address and opens its secret only now finds nothing, instead of what is meant for another host.
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

/** They were given for the host that the connection leads to, and go nowhere without its own key. */
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
