import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { AppError, ValidationError } from '../../kernel/errors'
import { cleanText } from '../../protocol/clean-text'
import type { SkillFile } from './schemas'
import { parseSkill } from './skill-file'

const maxEntries = 100
const maxEntryBytes = 1024 * 1024
const maxTotalBytes = 5 * 1024 * 1024
/**
 * Compressed text is seldom smaller than a fiftieth; a bomb shrinks to a thousandth. Small files may have any ratio.
 */
const maxRatio = 100
const ratioFromBytes = 64 * 1024

const symlinkOrDevice = [0x1000, 0x2000, 0x6000, 0xa000, 0xc000]
const archiveName = /\.(zip|jar|tar|tgz|gz|bz2|xz|zst|7z|rar)$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: names with these are what this refuses
const controlCharacter = /[\0-\x1f\x7f]/

/** `path` is the one inside of the archive. */
export type ArchiveFile = { path: string; bytes: Buffer }

/** Returns whether these bytes begin like a zip archive, whatever the file's name. */
export function isArchive(bytes: Uint8Array): boolean {
  const [p, k, a, b] = bytes
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6))
}

/**
 * Returns every SKILL.md of a zip archive; nothing else in it is unpacked. Refuses, by the archive's own data and again
 * while unpacking: more than 100 entries, more than 1 MiB per entry or 5 MiB in all, extreme compression, names that
 * lead out of the archive or occur twice, links, encryption, archives inside. Throws ValidationError.
 */
export async function readArchive(bytes: Buffer): Promise<ArchiveFile[]> {
  if (bytes.length > maxTotalBytes) refuse('is larger than 5 MiB.')
  try {
    const archive = await fromBufferPromise(bytes, { strictFileNames: true })
    const files: ArchiveFile[] = []
    for (const entry of await checkedEntries(archive)) {
      if (isSkill(entry.fileName)) {
        files.push({ path: entry.fileName, bytes: await unpack(archive, entry) })
      }
    }
    if (files.length === 0) refuse('holds no file named SKILL.md.')
    return files
  } catch (error) {
    if (error instanceof AppError) throw error
    // The library's own sentence: it refuses names that lead out, and sizes that are lies, before we look.
    const why = error instanceof Error ? cleanText(error.message).slice(0, 200) : 'it is damaged'
    return refuse(`cannot be read: ${why}.`)
  }
}

async function checkedEntries(archive: ZipFile): Promise<Entry[]> {
  if (archive.entryCount > maxEntries) refuse(`has more than ${maxEntries} entries.`)
  const entries: Entry[] = []
  const names = new Set<string>()
  let total = 0
  for await (const entry of archive.eachEntry()) {
    checkEntry(entry)
    // Names that a file system may treat as equal.
    const name = entry.fileName.normalize('NFKC').toLowerCase().replace(/\/$/, '')
    if (names.has(name)) refuse(`has ${quoted(entry)} twice.`)
    names.add(name)
    total += entry.uncompressedSize
    if (total > maxTotalBytes) refuse('is larger than 5 MiB when unpacked.')
    entries.push(entry)
    if (entries.length > maxEntries) refuse(`has more than ${maxEntries} entries.`)
  }
  return entries
}

function checkEntry(entry: Entry): void {
  const { fileName, compressedSize, uncompressedSize } = entry
  if (!isPlainPath(fileName)) refuse(`has a path that leads out of the archive: ${quoted(entry)}.`)
  if (symlinkOrDevice.includes(fileType(entry))) refuse(`has a link or device: ${quoted(entry)}.`)
  if (entry.isEncrypted()) refuse('is encrypted.')
  if (archiveName.test(fileName)) refuse(`has another archive inside: ${quoted(entry)}.`)
  if (uncompressedSize > maxEntryBytes) refuse(`has a file larger than 1 MiB: ${quoted(entry)}.`)
  if (uncompressedSize > ratioFromBytes && uncompressedSize > compressedSize * maxRatio) {
    refuse(`has a suspicious compression ratio: ${quoted(entry)}.`)
  }
}

function isPlainPath(path: string): boolean {
  if (path === '' || path.length > 255 || path.includes('\\') || /^[a-z]:/i.test(path)) return false
  if (controlCharacter.test(path) || !path.isWellFormed()) return false
  const parts = path.replace(/\/$/, '').split('/')
  return parts.every((part) => part !== '' && part !== '.' && part !== '..')
}

/** Returns the type bits of the UNIX mode; 0 where another system wrote the archive. */
function fileType({ externalFileAttributes }: Entry): number {
  return (externalFileAttributes >>> 16) & 0xf000
}

function isSkill(path: string): boolean {
  return /(^|\/)SKILL\.md$/.test(path) && !path.startsWith('__MACOSX/')
}

/** Unpacks an entry. It ignores the size that the entry states, and stops at the limit. */
async function unpack(archive: ZipFile, entry: Entry): Promise<Buffer> {
  const stream = await archive.openReadStreamPromise(entry)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxEntryBytes) refuse(`has a file larger than 1 MiB: ${quoted(entry)}.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function quoted({ fileName }: Entry): string {
  return JSON.stringify(fileName.slice(0, 100))
}

function refuse(sentence: string): never {
  throw new ValidationError({ file: `The archive ${sentence}` })
}

/**
 * Returns the skills in an upload or a pasted text: one SKILL.md, or a zip archive with one or more. The bytes decide
 * which of the two it is, never a name. Throws ValidationError with one sentence, which names the file in an archive.
 */
export async function readSkillFiles(bytes: Buffer): Promise<SkillFile[]> {
  if (!isArchive(bytes)) return [parseSkill(bytes)]
  const files = (await readArchive(bytes)).map(parseNamed)
  const names = new Set<string>()
  for (const { name } of files) {
    if (names.has(name)) throw new ValidationError({ file: `Two files are named ${name}.` })
    names.add(name)
  }
  return files
}

function parseNamed({ path, bytes }: ArchiveFile): SkillFile {
  try {
    return parseSkill(bytes)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new ValidationError({ file: `${path}: ${error.message}` })
  }
}
