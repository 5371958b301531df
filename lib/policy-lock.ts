import type { Tx } from './db'

/** Guards everything the gates read: switches, the freeze, people, configurations, skills, approval rules (SPEC G-F). */
const policyLock = 7_240_101
/** Told after each change of what the gates read, so that calls in flight can be aborted. */
export const policyChannel = 'toolgate_policy'

/** Held while a call is decided and its start is written: switches wait until that is committed. */
export async function lockPolicyShared(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${policyLock}::bigint)`
}

/** Held while a switch is thrown: no call starts until it is committed. Take it before reading anything. */
export async function lockPolicyExclusive(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${policyLock}::bigint)`
}

/** Delivered when the transaction commits, never before. */
export async function notifyPolicyChange(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${policyChannel}, '')`
}
