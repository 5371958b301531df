import type { Tx } from '../../kernel/db'
import { holdLock } from '../../kernel/locks'

/** Serialises whatever changes how many admins there are, so that there is never none (SPEC A3). */
export async function lockAdmins(tx: Tx): Promise<void> {
  await holdLock(tx, 'admins')
}
