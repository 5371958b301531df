import { type Tx, withTransaction } from './db'
import { holdLock, holdLockShared } from './locks'

/** Notified with the new version after each change, so that every process looks at its runs again. */
export const policyChannel = 'toolgate_policy'

/** Locks the policy in shared mode while a decision and its start are written. Changes wait until that is committed. */
export async function lockPolicyShared(tx: Tx): Promise<void> {
  await holdLockShared(tx, 'policy')
}

/**
 * Makes a change that may alter a decision, in a transaction of its own. No call and no model request starts between
 * its first statement and its commit. It increments the policy version and notifies every process.
 */
export function changePolicy<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return withTransaction(async (tx) => {
    await beginPolicyChange(tx)
    return work(tx)
  })
}

/** Makes the rest of a transaction a policy change, as `changePolicy` does. Call it before anything is read. */
export async function beginPolicyChange(tx: Tx): Promise<void> {
  await holdLock(tx, 'policy')
  await tx.$executeRaw`
    WITH raised AS (
      INSERT INTO policy_version (id, version) VALUES (1, 1)
      ON CONFLICT (id) DO UPDATE SET version = policy_version.version + 1 RETURNING version)
    SELECT pg_notify(${policyChannel}, version::text) FROM raised`
}
