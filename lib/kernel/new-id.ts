const idBytes = 16
/** Random bytes for 256 ids: drawing them one by one takes longer than making the id. */
const pool = Buffer.alloc(256 * idBytes)
let used = pool.length
let lastMs = 0
let count = 0

/** Returns a new id (UUID version 7). Ids of one process sort in the order in which they were made. */
export function newId(): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  const id = pool.subarray(used, used + idBytes)
  used += idBytes
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    // Begins low enough that the ids of one millisecond never count past its 32 bits.
    count = ((id.readUInt16BE(6) & 0x7fff) << 16) | id.readUInt8(8)
  } else count += 1
  // RFC 9562: 48 bits of milliseconds, the version, the count around the variant, 42 random bits.
  id.writeUIntBE(lastMs, 0, 6)
  id.writeUInt16BE(0x7000 | (count >>> 20), 6)
  id.writeUInt16BE(0x8000 | ((count >>> 6) & 0x3fff), 8)
  id.writeUInt8(((count << 2) & 0xfc) | (id.readUInt8(10) & 0x03), 10)
  const hex = id.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
