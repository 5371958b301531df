import { type OpenConnection, openConnection } from '@/lib/connections/open-connection'
import { requireConnection } from '@/lib/connections/require-connection'
import { db } from '@/lib/db'

/** What requests to a stored connection would be made with, its secrets opened. */
export async function openStoredConnection(connectionId: string): Promise<OpenConnection> {
  return openConnection(db(), await requireConnection(connectionId))
}
