import 'server-only'
import { clearFailures, endedByTest } from '@/lib/domains/connections/connection-failures'
import { noteAnswer } from '@/lib/domains/connections/note-answer'
import { ConnectionTest } from '@/lib/domains/connections/schemas'
import { clearOwnKey } from '@/lib/domains/connections/take-key'
import { db, pool } from '@/lib/kernel/db'
import { runningEngine } from '../runs/engine/engine'

/** Stores the result of a test of a stored connection. An answer closes its circuit (SPEC R15). */
export async function keepConnectionTest(
  connectionId: string,
  test: ConnectionTest,
  askedAt: number,
): Promise<void> {
  await recordConnectionTest(connectionId, test, askedAt)
  if (test.outcome !== 'ok') return
  await noteAnswer(pool(), connectionId, askedAt)
  await clearOwnKey(pool(), connectionId)
  await clearFailures(
    pool(),
    { connectionId, modelRecordId: null, askedAt, openedAt: askedAt },
    endedByTest,
  )
  runningEngine()?.circuits.forget()
}

/**
 * Stores the result of a test, for lists. It does not change the connection: `updatedAt` stays, so that an open form does
 * not conflict with it. Stores nothing when the connection was changed after `askedAt` (ms since 1970).
 */
async function recordConnectionTest(
  connectionId: string,
  test: ConnectionTest,
  askedAt: number,
): Promise<void> {
  const text = JSON.stringify(ConnectionTest.parse(test))
  await db().$executeRaw`
    UPDATE connections SET "lastTest" = ${text}::jsonb
    WHERE id = ${connectionId}::uuid AND "updatedAt" <= to_timestamp(${askedAt} / 1000.0) AT TIME ZONE 'UTC'`
}
