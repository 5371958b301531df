import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = {
  name: string
  content: string | Buffer
  /** UNIX mode with its type bits, such as 0o120777 for a symbolic link. */
  mode?: number
  encrypted?: boolean
  /** A size to claim instead of the true one. */
  claimedBytes?: number
}

/** Returns a zip archive with exactly these entries, valid or not. */
export function zipArchive(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const facts = headerFacts(entry)
    const local = Buffer.concat([signed('PK\x03\x04', facts.common), facts.name, facts.data])
    const central = signed('PK\x01\x02', Buffer.concat([short(0x031e), facts.common]))
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    parts.push(local)
    directory.push(central, rest, facts.name)
    offset += local.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(index.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, index, signed('PK\x05\x06', end)])
}

function headerFacts({ name, content, encrypted, claimedBytes }: ZipEntry) {
  const bytes = Buffer.from(content)
  const data = deflateRawSync(bytes)
  const nameBytes = Buffer.from(name)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(0x0800 | (encrypted ? 1 : 0), 2)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(crc32(bytes), 10)
  common.writeUInt32LE(data.length, 14)
  common.writeUInt32LE(claimedBytes ?? bytes.length, 18)
  common.writeUInt16LE(nameBytes.length, 22)
  return { common, name: nameBytes, data }
}

function signed(signature: string, rest: Buffer): Buffer {
  return Buffer.concat([Buffer.from(signature, 'latin1'), rest])
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
