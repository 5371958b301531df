import type { Tx } from '../db'
import { endSessions } from './end-sessions'
import { revokeAccountLinks } from './revoke-account-links'

/** For an account that is closed: enabling it again brings back neither sessions nor one-time links. */
export async function closeDoors(tx: Tx, userId: string): Promise<void> {
  await endSessions(tx, userId)
  await revokeAccountLinks(tx, userId)
}
