import { type Tx, withTransaction } from './db'
import { holdLock, holdLockShared } from './locks'

/** Notified with the new version after each change, so that every process looks at its runs again. */
export const policyChannel = 'toolgate_policy'

/** Held while something is decided and its start is written: changes wait until that is committed. */
export async function lockPolicyShared(tx: Tx): Promise<void> {
  await holdLockShared(tx, 'policy')
}

/**
 * Makes a change that may alter a decision, in a transaction of its own: no call and no model request starts from its
 * first statement until it is committed, the policy version is one higher then, and every process is told.
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
