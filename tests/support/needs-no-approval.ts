import { db } from './fixture-db'

/**
 * Stores an admin's answers that calls of these tools need no approval, whatever a run read before, for tests of something
 * else: those that write would wait.
 */
export async function needsNoApproval(...toolNames: string[]): Promise<void> {
  for (const toolName of toolNames) {
    const answer = { asks: false, reason: 'It is a test.', changedByLabel: 'test' }
    await db().toolApproval.upsert({
      where: { toolName },
      create: { toolName, ...answer },
      update: answer,
    })
  }
  await db().configuration.updateMany({ data: { afterUntrusted: 'allow' } })
}
