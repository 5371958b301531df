import 'server-only'
import {
  type DatabaseAddress,
  readConnectionString,
} from '@/lib/domains/data-sources/shared/database-address'
import type { StoredSource } from '@/lib/domains/data-sources/stored'
import { openSecret } from '@/lib/domains/vault/secrets'
import { troubleOf } from '@/lib/engines/tools/data/source-trouble'
import {
  type Ask,
  closePool,
  type DatabaseIdentity,
  inManaging,
  inReadOnly,
  inWriting,
  OwnDatabaseError,
  type Place,
  readIdentity,
} from '@/lib/engines/tools/data/transactions'
import type { Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'

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
  return inReadOnly(await placeOfSource(client, source), signal, work)
}

/** Runs statements on a data source in one transaction that may write. Throws what the database throws. */
export async function writeSource<T>(
  client: Tx,
  source: Asked,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  return inWriting(await placeOfSource(client, source), signal, work)
}

/** Runs statements in one transaction that may change roles and rights, also of the console's own database. */
export async function manageSource<T>(
  client: Tx,
  source: Asked,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  return inManaging(await placeOfSource(client, source), signal, work)
}

/** Returns whether an address that somebody just gave is the console's own database. One that does not answer is not. */
export async function isOwnDatabase(
  address: DatabaseAddress,
  privateAllowed: boolean,
): Promise<boolean> {
  const target = { type: 'other', address, privateAllowed, own: await ownIdentity() } as const
  const place = { id: crypto.randomUUID(), version: '', target }
  try {
    await inReadOnly(place, AbortSignal.timeout(8_000), async () => {})
    return false
  } catch (error) {
    return error instanceof OwnDatabaseError
  } finally {
    await closePool(place.id)
  }
}

/** Returns why a source cannot be asked now, for admins. What the database said is only logged. */
export function sourceTrouble(err: unknown): string {
  if (err instanceof AppError) return err.message
  log.info({ source: 'data-sources', err }, 'A data source did not answer')
  return troubleOf(err)
}

/** Returns where a data source is. */
export async function placeOfSource(client: Tx, source: Asked): Promise<Place> {
  const { id, kind, addressSecretId, privateAddressAllowed: privateAllowed, updatedAt } = source
  if (kind === 'console') return ownPlace()
  const text = addressSecretId === null ? '' : await openSecret(client, addressSecretId)
  const address = readConnectionString(text)
  if (typeof address === 'string') {
    throw new AppError('data-source', 422, 'It has no connection string yet. Enter one.')
  }
  const target = { type: 'other', address, privateAllowed, own: await ownIdentity() } as const
  return { id, version: updatedAt.toISOString(), target }
}

function ownPlace(): Place {
  const url = env().DATABASE_URL
  return { id: 'own', version: url, target: { type: 'own', url } }
}

const identities = new Map<string, DatabaseIdentity>()

async function ownIdentity(): Promise<DatabaseIdentity> {
  const place = ownPlace()
  const known = identities.get(place.version)
  if (known) return known
  const found = await inReadOnly(place, AbortSignal.timeout(8_000), readIdentity)
  identities.set(place.version, found)
  return found
}
