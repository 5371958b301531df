import { db } from '../db'
import { ConnectionTest } from './schemas'

/**
 * Keeps what a test found, for lists. It is an observation, not a change: `updatedAt` stays, so that a form that is
 * open does not conflict with it. One that was asked (`askedAt`, ms since 1970) before the connection was changed is not
 * kept.
 */
export async function recordConnectionTest(
  connectionId: string,
  test: ConnectionTest,
  askedAt: number,
): Promise<void> {
  const text = JSON.stringify(ConnectionTest.parse(test))
  await db().$executeRaw`
    UPDATE connections SET "lastTest" = ${text}::jsonb
    WHERE id = ${connectionId}::uuid AND "updatedAt" <= to_timestamp(${askedAt} / 1000.0) AT TIME ZONE 'UTC'`
}
