import { type Tx, withTransaction } from './db'

/**
 * Every advisory lock of Toolgate. A lock is a number that all processes on a database agree on, so a number is never
 * changed or used again: during an update, an older version holds the same locks.
 */
export const advisoryLocks = {
  /** The state that decisions read: shared while a start is decided and written, exclusive while it changes. */
  policy: 7_240_101,
  /** The number of admins: exclusive for everything that may change it, so that there is always one. */
  admins: 7_240_102,
  /** The launch of DBOS, which creates its own tables: one process at a time. */
  launch: 7_240_103,
  /** The first content of a new site: one process at a time. */
  seed: 7_240_104,
  /** The vault key that encrypts: shared while a secret is encrypted, exclusive while the key changes. */
  vaultKey: 7_240_105,
  /** The whole rotation of the vault key: one process at a time. */
  vaultRotation: 7_240_106,
  /** Migrations: one process at a time. */
  migrations: 5_862_190_417,
  /** The built-in PostgreSQL: shared by every process that uses it. The one that gets it exclusively may stop it. */
  database: 7_304_118_265,
} as const

/** Waits for a lock, which is released at the end of the transaction. */
export async function holdLock(tx: Tx, lock: keyof typeof advisoryLocks): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${advisoryLocks[lock]}::bigint)`
}

/** Waits for a lock in shared mode, which is released at the end of the transaction. */
export async function holdLockShared(tx: Tx, lock: keyof typeof advisoryLocks): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${advisoryLocks[lock]}::bigint)`
}

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
