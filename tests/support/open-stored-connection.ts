import { type OpenConnection, openConnection } from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/reads'
import { db } from '@/lib/kernel/db'

/** What requests to a stored connection would be made with, its secrets opened. */
export async function openStoredConnection(connectionId: string): Promise<OpenConnection> {
  return openConnection(db(), await requireConnection(connectionId))
}
