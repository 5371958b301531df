import { v7 } from 'uuid'

const idBytes = 16
/** Random bytes for 256 ids: drawing them one by one takes longer than making the id. */
const pool = new Uint8Array(256 * idBytes)
let used = pool.length
let lastMs = 0
let count = 0

/** Returns a new id (UUID version 7). Ids of one process sort in the order in which they were made. */
export function newId(): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  const random = pool.subarray(used, used + idBytes)
  used += idBytes
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    // Begins low enough that the ids of one millisecond never count past its 32 bits.
    count = (((random[6] ?? 0) & 0x7f) << 24) | ((random[7] ?? 0) << 16) | (random[8] ?? 0)
  } else count += 1
  return v7({ random, msecs: lastMs, seq: count })
}
