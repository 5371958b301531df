import 'server-only'
import { clearFailures, endedByTest } from '@/lib/connections/connection-failures'
import { noteAnswer } from '@/lib/connections/note-answer'
import { recordConnectionTest } from '@/lib/connections/record-connection-test'
import type { ConnectionTest } from '@/lib/connections/schemas'
import { clearOwnKey } from '@/lib/connections/take-key'
import { forgetHeard } from './heard-connections'

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
  forgetHeard()
}
