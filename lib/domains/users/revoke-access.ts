import type { Tx } from '../../kernel/db'
import { endSessions } from './end-sessions'
import { revokeAccountLinks } from './revoke-account-links'
import { revokeApiKeys } from './revoke-api-keys'

/** How much was ended; for the audit. */
type RevokedAccess = { sessionsEnded: number; keysRevoked: number }

/**
 * Ends the sessions, API keys and one-time links of an account that is disabled, deleted or linked to an identity
 * provider; none of them works again. Call it after the account's row was written, so that it also finds those that
 * another request opens at the same time.
 */
export async function revokeAccess(tx: Tx, userId: string): Promise<RevokedAccess> {
  const sessionsEnded = await endSessions(tx, userId)
  const keysRevoked = await revokeApiKeys(tx, userId)
  await revokeAccountLinks(tx, userId)
  return { sessionsEnded, keysRevoked }
}
