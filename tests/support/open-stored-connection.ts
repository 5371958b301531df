import { type OpenConnection, openConnection } from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/reads'
import { db } from '@/lib/kernel/db'

/** Returns what requests to a stored connection would use, with its secrets decrypted. */
export async function openStoredConnection(connectionId: string): Promise<OpenConnection> {
  return openConnection(db(), await requireConnection(connectionId))
}
