import 'server-only'
import {
  type DatabaseAddress,
  readConnectionString,
} from '@/lib/domains/data-sources/shared/database-address'
import type { StoredSource } from '@/lib/domains/data-sources/stored'
import { openSecret } from '@/lib/domains/vault/secrets'
import { problemOf } from '@/lib/engines/tools/data/source-problem'
import {
  type Ask,
  type AskedDatabase,
  type DatabaseIdentity,
  inManaging,
  inReadOnly,
  inWriting,
  OwnDatabaseError,
  readIdentity,
} from '@/lib/engines/tools/data/transactions'
import type { Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { closePool, openDatabase } from './connections'

type Asked = Pick<
  StoredSource,
  'id' | 'kind' | 'addressSecretId' | 'privateAddressAllowed' | 'updatedAt'
>

/** Runs statements on a data source in one read-only transaction, which is rolled back. Throws what the database throws. */
export async function askSource<T>(
  client: Tx,
  source: Asked,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  return inReadOnly(await databaseOf(client, source), signal, work)
}

/** Runs statements on a data source in one transaction that may write. Throws what the database throws. */
export async function writeSource<T>(
  client: Tx,
  source: Asked,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  return inWriting(await databaseOf(client, source), signal, work)
}

/** Runs statements in one transaction that may change roles and rights, also of the console's own database. */
export async function manageSource<T>(
  client: Tx,
  source: Asked,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  return inManaging(await databaseOf(client, source), signal, work)
}

/** Returns whether an address that somebody just gave is the console's own database. One that does not answer is not. */
export async function isOwnDatabase(
  address: DatabaseAddress,
  privateAllowed: boolean,
): Promise<boolean> {
  const target = { type: 'other', address, privateAllowed, own: await ownIdentity() } as const
  const id = crypto.randomUUID()
  try {
    await inReadOnly(
      openDatabase({ id, version: '', target }),
      AbortSignal.timeout(8_000),
      async () => {},
    )
    return false
  } catch (error) {
    return error instanceof OwnDatabaseError
  } finally {
    await closePool(id)
  }
}

/** Returns why a source cannot be asked now, for admins. What the database said is only logged. */
export function sourceProblem(err: unknown): string {
  if (err instanceof AppError) return err.message
  log.info({ source: 'data-sources', err }, 'A data source did not answer')
  return problemOf(err)
}

/** Returns a data source as a database that tools may ask. */
export async function databaseOf(client: Tx, source: Asked): Promise<AskedDatabase> {
  const { id, kind, addressSecretId, privateAddressAllowed: privateAllowed, updatedAt } = source
  if (kind === 'console') return ownDatabase()
  const text = addressSecretId === null ? '' : await openSecret(client, addressSecretId)
  const address = readConnectionString(text)
  if (typeof address === 'string') {
    throw new AppError('data-source', 422, 'It has no connection string yet. Enter one.')
  }
  const target = { type: 'other', address, privateAllowed, own: await ownIdentity() } as const
  return openDatabase({ id, version: updatedAt.toISOString(), target })
}

function ownDatabase(): AskedDatabase {
  const url = env().DATABASE_URL
  return openDatabase({ id: 'own', version: url, target: { type: 'own', url } })
}

const identities = new Map<string, DatabaseIdentity>()

async function ownIdentity(): Promise<DatabaseIdentity> {
  const url = env().DATABASE_URL
  const known = identities.get(url)
  if (known) return known
  const found = await inReadOnly(ownDatabase(), AbortSignal.timeout(8_000), readIdentity)
  identities.set(url, found)
  return found
}
