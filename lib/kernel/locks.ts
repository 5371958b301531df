import type { Tx } from './db'

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
  /** The places of runs that wait: one process gives them out at a time. */
  places: 7_240_107,
  /** The messages of runs to people: one process at a time counts them and adds one. */
  runMessages: 7_240_108,
  /** The alerts about refused sign-ins: one process at a time counts the refusals and adds one. */
  signInAlerts: 7_240_109,
  /** A backup: one process at a time writes one. */
  backup: 7_240_120,
  /** The alerts about backups: one process at a time looks for the last one and adds one. */
  backupAlerts: 7_240_121,
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

/**
 * Common table expressions that read the current version of the policy and keep it until the statement is stored. The
 * advisory lock comes first: PostgreSQL lets those who share a row pass one who waits to change it, but not with this
 * lock. A row that is locked is read as it is then, not as it was when the statement began.
 */
export const currentPolicy = `
held AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${advisoryLocks.policy}) IS NULL AS never),
policy AS MATERIALIZED (SELECT version FROM policy_version WHERE NOT (SELECT never FROM held) FOR SHARE)`
