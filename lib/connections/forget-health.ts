import type { Tx } from '../db'
import { healthChannel } from './health-channel'

/** What was heard of a connection was said at another address: failures are counted anew, and it is untried. */
export async function forgetHealth(tx: Tx, connectionId: string): Promise<void> {
  await tx.connectionHealth.deleteMany({ where: { connectionId } })
  await tx.connectionFailure.deleteMany({ where: { connectionId } })
  await tx.$executeRaw`SELECT pg_notify(${healthChannel}, ${connectionId})`
}
