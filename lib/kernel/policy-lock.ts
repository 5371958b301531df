import { type ChangeTx, type PolicyTx, type Tx, withTransaction } from './db'
import { holdLock, holdLockShared } from './locks'

/** Notified once after each change, so that every process looks at its runs again. */
export const policyChannel = 'toolgate_policy'

/** Locks the policy in shared mode while a decision and its start are written. Changes wait until that is committed. */
export async function lockPolicyShared(tx: Tx): Promise<void> {
  await holdLockShared(tx, 'policy')
}

declare const exclusive: unique symbol

/** A transaction that holds the policy lock exclusively. A verb gives it to its work as a `PolicyTx`. */
export type LockedTx = Tx & { readonly [exclusive]: true }

/**
 * Runs a change that may alter a decision, in a transaction of its own. No call and no model request starts between its
 * first statement and its commit. It increments the policy version and notifies every process.
 */
export function changePolicy<T>(work: (tx: LockedTx) => Promise<T>): Promise<T> {
  return withTransaction(async (tx) => {
    await beginChange(tx)
    return work(tx as LockedTx)
  })
}

/** Makes the rest of a change a policy change, as `changePolicy` does. Call it before anything is read. */
export async function beginPolicyChange(tx: ChangeTx): Promise<PolicyTx> {
  await beginChange(tx)
  return tx as PolicyTx
}

async function beginChange(tx: Tx): Promise<void> {
  await holdLock(tx, 'policy')
  // The triggers of the tables do this, too. Here it comes first, so that starts wait instead of being decided twice. The step is
  // random, so that a database that went back never reaches a number again that engines remember.
  await tx.$executeRaw`
    WITH raised AS (UPDATE policy_version SET version = version + 1 + floor(random() * 2147483648)::bigint)
    SELECT pg_notify(${policyChannel}, '')`
}
