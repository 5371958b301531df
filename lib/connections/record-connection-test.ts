import { db } from '../db'
import { ConnectionTest } from './schemas'

/**
 * Keeps what a test found, for lists. It is an observation, not a change: `updatedAt` stays, so that a form that is
 * open does not conflict with it.
 */
export async function recordConnectionTest(
  connectionId: string,
  test: ConnectionTest,
): Promise<void> {
  const text = JSON.stringify(ConnectionTest.parse(test))
  await db().$executeRaw`
    UPDATE connections SET "lastTest" = ${text}::jsonb WHERE id = ${connectionId}::uuid`
}
