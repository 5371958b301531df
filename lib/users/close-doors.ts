import type { Tx } from '../db'
import { endSessions } from './end-sessions'
import { revokeAccountLinks } from './revoke-account-links'
import { revokeApiKeys } from './revoke-api-keys'

/** What was closed; for the audit. */
type Closed = { sessionsEnded: number; keysRevoked: number }

/**
 * For an account that is closed or changes hands: nothing brings back its sessions, API keys and one-time links. Call
 * it after the account's row was written, so that what others open at the same time is seen.
 */
export async function closeDoors(tx: Tx, userId: string): Promise<Closed> {
  const sessionsEnded = await endSessions(tx, userId)
  const keysRevoked = await revokeApiKeys(tx, userId)
  await revokeAccountLinks(tx, userId)
  return { sessionsEnded, keysRevoked }
}
