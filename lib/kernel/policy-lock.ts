import { type Tx, withTransaction } from './db'

/**
 * Guards everything a decision is made from: switches, the freeze, people, groups, configurations, models, connections,
 * skills and approval rules (SPEC G-F, G-R).
 */
const policyLock = 7_240_101
/** Notified with the new version after each change, so that every process looks at its runs again. */
export const policyChannel = 'toolgate_policy'

/** Held while something is decided and its start is written: changes wait until that is committed. */
export async function lockPolicyShared(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${policyLock}::bigint)`
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
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${policyLock}::bigint)`
  await tx.$executeRaw`
    WITH raised AS (
      INSERT INTO policy_version (id, version) VALUES (1, 1)
      ON CONFLICT (id) DO UPDATE SET version = policy_version.version + 1 RETURNING version)
    SELECT pg_notify(${policyChannel}, version::text) FROM raised`
}
