import 'server-only'
import { clearFailures, endedByTest } from '@/lib/connections/connection-failures'
import { noteAnswer } from '@/lib/connections/note-answer'
import type { ConnectionTest } from '@/lib/connections/schemas'
import { clearOwnKey } from '@/lib/connections/take-key'
import { forgetCircuits } from './cached-circuits'
import { db } from '../db'
import { ConnectionTest } from '../connections/schemas'

/** Keeps what a test of a stored connection found. One that was answered closes its circuit (SPEC R15). */
export async function keepConnectionTest(
  connectionId: string,
  test: ConnectionTest,
  askedAt: number,
): Promise<void> {
  await recordConnectionTest(connectionId, test, askedAt)
  if (test.outcome !== 'ok') return
  await noteAnswer(connectionId, askedAt)
  await clearOwnKey(connectionId)
  await clearFailures(
    { connectionId, modelRecordId: null, askedAt, openedAt: askedAt },
    endedByTest,
  )
  forgetCircuits()
}

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
