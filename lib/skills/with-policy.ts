import { type Tx, withTransaction } from '../db'
import { lockPolicyExclusive, notifyPolicyChange } from '../policy-lock'

/** A change of skills: gates read them, so no call starts while it is made, and runs hear of it (SPEC G-F). */
export function withPolicy<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return withTransaction(async (tx) => {
    await lockPolicyExclusive(tx)
    const result = await work(tx)
    await notifyPolicyChange(tx)
    return result
  })
}
