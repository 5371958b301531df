import { createHash, type Hash, timingSafeEqual } from 'node:crypto'
import { constants, type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { InstallationError } from '../installation-error'
import { SealedKey } from './sealed-key'

/**
 * A backup is a line of text, a gzip stream and the SHA-256 of both. The stream has frames: a letter, the length in four bytes, and
 * as many bytes. `H` is the header, `T` begins a table, `D` has rows of it as COPY writes them, `E` ends it with the number of its
 * rows and the SHA-256 of its data, and `Z` ends the backup.
 */
const formatVersion = 1
const firstLine = (version: number | string) => `Toolgate backup ${version}\n`
const firstLineBytes = firstLine(formatVersion).length
const digestBytes = 32
/** No frame is longer, so that reading takes little memory whatever a file says. */
const longestFrame = 1024 * 1024
const frameHead = 5
const mostTables = 1_000
/** COPY writes bytes as hexadecimal text, which level 1 packs three times as fast as level 3, into 10 % more. */
const gzipLevel = 1

const Name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/)
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.int().min(0)

export const BackupHeader = z.strictObject({
  /** Toolgate's version. */
  product: z.string().regex(/^[\w.+-]{1,50}$/),
  /** When the snapshot was taken. */
  at: z.iso.datetime(),
  migrations: z
    .array(z.strictObject({ name: z.string().regex(/^\d{14}_\w{1,100}$/), checksum: Sha256 }))
    .max(5_000),
  /** Null = the vault key is not in it. */
  key: SealedKey.nullable(),
})
export type BackupHeader = z.infer<typeof BackupHeader>

const TableBegin = z.strictObject({ table: Name, columns: z.array(Name).min(1).max(1_600) })
export type BackedUpTable = z.infer<typeof TableBegin>
const TableEnd = z.strictObject({ rows: Count, sha256: Sha256 })
const End = z.strictObject({ tables: Count, rows: Count })

/** Parts of a backup, in their order: the header, then each table with its data and its end, then the end of all. */
export type BackupPart =
  | { type: 'header'; header: BackupHeader }
  | ({ type: 'table' } & BackedUpTable)
  | { type: 'data'; bytes: Buffer }
  | { type: 'table-end'; rows: number }
  | { type: 'end'; tables: number; rows: number }

/** The rows of a table as they are read; the return value is their number. */
export type TableSource = BackedUpTable & { read: () => { data: Readable; rows: () => number } }

/** Writes a backup to `handle`, with as much memory as one frame takes, and returns the number of rows of each table. */
export async function writeBackup(
  handle: FileHandle,
  header: BackupHeader,
  tables: readonly TableSource[],
): Promise<Map<string, number>> {
  const rows = new Map<string, number>()
  const whole = createHash('sha256')
  const line = firstLine(formatVersion)
  whole.update(line)
  await handle.writeFile(line)
  // Each of these goes on where the one before it ended.
  await pipeline(
    frames(header, tables, rows),
    createGzip({ level: gzipLevel }),
    hashing(whole),
    async (source) => {
      for await (const chunk of source) await handle.writeFile(chunk)
    },
  )
  await handle.writeFile(whole.digest())
  return rows
}

async function* frames(
  header: BackupHeader,
  tables: readonly TableSource[],
  counts: Map<string, number>,
): AsyncGenerator<Buffer> {
  yield frame('H', header)
  for (const { table, columns, read } of tables) {
    yield frame('T', { table, columns })
    const hash = createHash('sha256')
    const { data, rows } = read()
    for await (const chunk of data as AsyncIterable<Buffer>) {
      hash.update(chunk)
      for (let at = 0; at < chunk.length; at += longestFrame) {
        const bytes = chunk.subarray(at, at + longestFrame)
        yield headOf('D', bytes.length)
        yield bytes
      }
    }
    counts.set(table, rows())
    yield frame('E', { rows: rows(), sha256: hash.digest('hex') })
  }
  const rows = [...counts.values()].reduce((sum, each) => sum + each, 0)
  yield frame('Z', { tables: tables.length, rows })
}

function frame(letter: string, content: object): Buffer {
  const body = Buffer.from(JSON.stringify(content))
  if (body.length > longestFrame) throw new Error(`Frame ${letter} is too long.`)
  return Buffer.concat([headOf(letter, body.length), body])
}

function headOf(letter: string, length: number): Buffer {
  const head = Buffer.alloc(frameHead)
  head.write(letter, 'latin1')
  head.writeUInt32BE(length, 1)
  return head
}

function hashing(hash: Hash) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
}

/** A backup file that cannot be used. The message names the cause and the cure. */
export class BackupError extends InstallationError {}

const damaged = (what: string) =>
  new BackupError(
    `This backup is damaged: ${what}. It was cut or changed after it was written. Nothing was changed; copy it again from where it is whole, or use another one.`,
  )

/** Opens a backup and checks its first line and its checksum. Throws BackupError. The caller closes it. */
export async function openBackup(file: string): Promise<FileHandle> {
  // A pipe would be waited for until somebody writes into it.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (cause: unknown) => {
      throw new BackupError(`${file} cannot be opened. Check its path and who may read it.`, {
        cause,
      })
    },
  )
  try {
    await requireWhole(handle)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Returns whether a file is the beginning of a backup, or empty. */
export async function beginsBackup(handle: FileHandle): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(
    Buffer.alloc(firstLineBytes),
    0,
    firstLineBytes,
    0,
  )
  return firstLine(formatVersion).startsWith(buffer.toString('latin1', 0, bytesRead))
}

/** Throws BackupError for an open file that is no backup of this format, or whose checksum is not that of its bytes. */
export async function requireWhole(handle: FileHandle): Promise<void> {
  const found = await handle.stat()
  if (!found.isFile()) throw new BackupError('This is not a file. Give the path of a backup.')
  const head = await handle.read(Buffer.alloc(40), 0, 40, 0)
  const [, version] = /^Toolgate backup (\d{1,4})\n/.exec(head.buffer.toString('latin1')) ?? []
  if (version === undefined) {
    throw new BackupError('This is not a backup of Toolgate. `toolgate backup FILE` writes one.')
  }
  if (Number(version) !== formatVersion) {
    throw new BackupError(
      `This backup has format ${version}, and this version of Toolgate reads format ${formatVersion}. Update Toolgate. Nothing was changed.`,
    )
  }
  const end = found.size - digestBytes
  if (end < firstLineBytes) throw damaged('it is shorter than the shortest one')
  const hash = createHash('sha256')
  for await (const chunk of bytesOf(handle, 0, end)) hash.update(chunk)
  const { buffer } = await handle.read(Buffer.alloc(digestBytes), 0, digestBytes, end)
  if (!timingSafeEqual(buffer, hash.digest())) throw damaged('its checksum is not that of its data')
}

/** Reads the bytes of a file from one place up to another. A stream of the handle's own would have to close it. */
async function* bytesOf(
  handle: FileHandle,
  from: number,
  to: number,
): AsyncGenerator<Buffer, void> {
  for (let at = from; at < to; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(65_536), 0, 65_536, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, Math.min(bytesRead, to - at))
    at += bytesRead
  }
}

/**
 * Reads an open backup part by part, and checks that each has its place, its length and its checksum. Throws BackupError. A file that
 * somebody made may say anything, so nothing is taken from it beyond these limits.
 */
export async function* readBackup(handle: FileHandle): AsyncGenerator<BackupPart, void> {
  let at: 'begin' | 'between' | 'table' | 'end' = 'begin'
  let hash = createHash('sha256')
  const sum = { tables: 0, rows: 0 }
  for await (const { letter, body } of readFrames(handle)) {
    if (at === 'begin' && letter === 'H') {
      at = 'between'
      yield { type: 'header', header: parse(BackupHeader, body) }
    } else if (at === 'between' && letter === 'T') {
      at = 'table'
      if (sum.tables === mostTables) throw damaged(`it has more than ${mostTables} tables`)
      hash = createHash('sha256')
      yield { type: 'table', ...parse(TableBegin, body) }
    } else if (at === 'table' && letter === 'D') {
      hash.update(body)
      yield { type: 'data', bytes: body }
    } else if (at === 'table' && letter === 'E') {
      at = 'between'
      const { rows, sha256 } = parse(TableEnd, body)
      if (sha256 !== hash.digest('hex'))
        throw damaged('the checksum of a table is not that of its rows')
      sum.tables += 1
      sum.rows += rows
      yield { type: 'table-end', rows }
    } else if (at === 'between' && letter === 'Z') {
      at = 'end'
      const said = parse(End, body)
      if (said.tables !== sum.tables || said.rows !== sum.rows)
        throw damaged('tables or rows are missing')
      yield { type: 'end', ...said }
    } else throw damaged('its parts are not in their order')
  }
  if (at !== 'end') throw damaged('its end is missing')
}

async function* readFrames(
  handle: FileHandle,
): AsyncGenerator<{ letter: string; body: Buffer }, void> {
  const { size } = await handle.stat()
  const compressed = bytesOf(handle, firstLineBytes, size - digestBytes)
  const unzipped = createGunzip()
  // Its error comes out of the loop below.
  const piped = pipeline(compressed, unzipped).catch(() => undefined)
  let waiting: Buffer[] = []
  let bytes = 0
  let wanted = frameHead
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      waiting.push(chunk)
      bytes += chunk.length
      if (bytes < wanted) continue
      let rest = Buffer.concat(waiting)
      while (rest.length >= frameHead) {
        const length = rest.readUInt32BE(1)
        if (length > longestFrame) throw damaged('a part is longer than any can be')
        wanted = frameHead + length
        if (rest.length < wanted) break
        yield { letter: rest.toString('latin1', 0, 1), body: rest.subarray(frameHead, wanted) }
        rest = rest.subarray(wanted)
        wanted = frameHead
      }
      waiting = [rest]
      bytes = rest.length
    }
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw damaged('it cannot be unpacked')
  } finally {
    unzipped.destroy()
    await piped
  }
  if (bytes > 0) throw damaged('it ends within a part')
}

function parse<T>(schema: z.ZodType<T>, body: Buffer): T {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')))
  } catch {
    throw damaged('a part of it makes no sense')
  }
}

/** Returns the header of an open backup, without reading more of it. Throws BackupError. */
export async function readBackupHeader(handle: FileHandle): Promise<BackupHeader> {
  for await (const part of readBackup(handle)) if (part.type === 'header') return part.header
  throw damaged('its header is missing')
}

/** The contents of a backup whose checksums match. */
export type BackupContents = {
  header: BackupHeader
  tables: (BackedUpTable & { rows: number })[]
  bytes: number
}

/** Reads an open backup from its beginning to its end and returns what is in it. Throws BackupError. */
export async function examineBackup(handle: FileHandle): Promise<BackupContents> {
  let header: BackupHeader | undefined
  const tables: BackupContents['tables'] = []
  for await (const part of readBackup(handle)) {
    if (part.type === 'header') header = part.header
    if (part.type === 'table') tables.push({ table: part.table, columns: part.columns, rows: 0 })
    const last = tables.at(-1)
    if (part.type === 'table-end' && last) last.rows = part.rows
  }
  if (!header) throw damaged('its header is missing')
  return { header, tables, bytes: (await handle.stat()).size }
}
