import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { AppError, ValidationError } from '@/lib/kernel/errors'
import { cleanText } from '@/lib/words/clean-text'
import type { SkillFile } from './schemas'
import { type DroppedFiles, skillWarnings } from './shape'
import { parseSkill } from './skill-file'

/** Limits the list of everything in an archive; the next ones limit its SKILL.md files. */
const maxEntries = 20_000
const maxSkillFiles = 100
const maxArchiveBytes = 20 * 1024 * 1024
const maxEntryBytes = 1024 * 1024
const maxTotalBytes = 5 * 1024 * 1024
const maxDroppedNames = 50
/**
 * Compressed text is seldom smaller than a fiftieth; a bomb shrinks to a thousandth. Small files may have any ratio.
 */
const maxRatio = 100
const ratioFromBytes = 64 * 1024

const symlinkOrDevice = [0x1000, 0x2000, 0x6000, 0xa000, 0xc000]
/** `path` is the one inside of the archive. */
type ArchiveFile = { path: string; bytes: Buffer }

/** An entry with its path in one spelling. */
type PathEntry = { entry: Entry; path: string }

/** Returns whether these bytes begin like a zip archive, whatever the file's name. */
export function isArchive(bytes: Uint8Array): boolean {
  const [p, k, a, b] = bytes
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6))
}

/** `others`: the paths of the files that are not taken. */
type Archive = { files: ArchiveFile[]; others: string[] }

/**
 * Returns every SKILL.md of a zip archive; nothing else in it is unpacked, whatever it is. Refuses, by the archive's own
 * data and again while unpacking: more than 20 MiB or 20,000 entries, paths that lead out of the archive, and of the
 * SKILL.md files: more than 100, more than 1 MiB each or 5 MiB in all, extreme compression, paths that occur twice, and
 * encryption. A link or device of this name is not taken. Throws ValidationError.
 */
export async function readArchive(bytes: Buffer): Promise<Archive> {
  if (bytes.length > maxArchiveBytes) refuse('is larger than 20 MiB.')
  try {
    const archive = await fromBufferPromise(bytes, { strictFileNames: false })
    const { skills, others } = await listEntries(archive)
    if (skills.length === 0) refuse('holds no file named SKILL.md.')
    const files: ArchiveFile[] = []
    for (const skill of checkedSkills(skills)) {
      files.push({ path: skill.path, bytes: await unpack(archive, skill) })
    }
    return { files, others }
  } catch (error) {
    if (error instanceof AppError) throw error
    // The library's own sentence: it refuses names that lead out, and sizes that are lies, before we look.
    const why = error instanceof Error ? cleanText(error.message).slice(0, 200) : 'it is damaged'
    return refuse(`cannot be read: ${why}.`)
  }
}

async function listEntries(archive: ZipFile): Promise<{ skills: PathEntry[]; others: string[] }> {
  if (archive.entryCount > maxEntries) refuse('has more than 20,000 entries.')
  const skills: PathEntry[] = []
  const others: string[] = []
  for await (const entry of archive.eachEntry()) {
    const path = plainPath(entry.fileName)
    if (path === null) {
      const shown = JSON.stringify(cleanText(entry.fileName).slice(0, 100))
      return refuse(`has a path that leads out of the archive: ${shown}.`)
    }
    if (/(^|[/\\])$/.test(entry.fileName) || path.startsWith('__MACOSX/')) continue
    if (isSkill(entry, path)) skills.push({ entry, path })
    else others.push(path)
    if (skills.length + others.length > maxEntries) refuse('has more than 20,000 entries.')
  }
  return { skills, others }
}

function checkedSkills(entries: readonly PathEntry[]): readonly PathEntry[] {
  if (entries.length > maxSkillFiles) refuse(`has more than ${maxSkillFiles} files named SKILL.md.`)
  const names = new Set<string>()
  let total = 0
  for (const each of entries) {
    const { entry, path } = each
    const { compressedSize, uncompressedSize } = entry
    // Names that a file system may treat as equal.
    const name = path.normalize('NFKC').toLowerCase()
    if (names.has(name)) refuse(`has ${quoted(each)} twice.`)
    names.add(name)
    if (entry.isEncrypted()) refuse('is encrypted.')
    if (uncompressedSize > maxEntryBytes) refuse(`has a SKILL.md over 1 MiB: ${quoted(each)}.`)
    if (uncompressedSize > ratioFromBytes && uncompressedSize > compressedSize * maxRatio) {
      refuse(`has a suspicious compression ratio: ${quoted(each)}.`)
    }
    total += uncompressedSize
    if (total > maxTotalBytes) refuse('has SKILL.md files of more than 5 MiB.')
  }
  return entries
}

/** Returns the path of an entry in one spelling, without control characters; null = it leads out of the archive. */
function plainPath(fileName: string): string | null {
  const parts = cleanText(fileName.replaceAll('\\', '/'))
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  const path = parts.join('/')
  return /^[a-z]:/i.test(path) || parts.includes('..') ? null : path
}

/** Returns the type bits of the UNIX mode; 0 where another system wrote the archive. */
function fileType({ externalFileAttributes }: Entry): number {
  return (externalFileAttributes >>> 16) & 0xf000
}

function isSkill(entry: Entry, path: string): boolean {
  return /(^|\/)SKILL\.md$/.test(path) && !symlinkOrDevice.includes(fileType(entry))
}

/** Unpacks an entry. It ignores the size that the entry states, and stops at the limit. */
async function unpack(archive: ZipFile, skill: PathEntry): Promise<Buffer> {
  const stream = await archive.openReadStreamPromise(skill.entry)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxEntryBytes) refuse(`has a SKILL.md over 1 MiB: ${quoted(skill)}.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function quoted({ path }: PathEntry): string {
  return JSON.stringify(path.slice(0, 100))
}

function refuse(sentence: string): never {
  throw new ValidationError({ file: `The archive ${sentence}` })
}

/**
 * Returns the skills in an upload or a pasted text: one SKILL.md, or a zip archive with one or more. The bytes decide
 * which of the two it is, never a name. Throws ValidationError when none can be taken, with the reason of each.
 */
export async function readSkillFiles(bytes: Buffer): Promise<SkillFile[]> {
  return (await readSkillUpload(bytes)).files
}

/** Returns the skills as `readSkillFiles` does, and what of an archive was not taken. */
export async function readSkillUpload(
  bytes: Buffer,
): Promise<{ files: SkillFile[]; dropped: DroppedFiles }> {
  if (!isArchive(bytes)) {
    const files = [parseSkill(bytes)]
    return { files, dropped: { ...noneDropped, warnings: warningsOf(files) } }
  }
  const { files, others } = await readArchive(bytes)
  const { good, refused } = separated(files.map(parseOne))
  if (good.length === 0) {
    const reasons = refused.map(({ path, reason }) => `${path}: ${reason}`)
    throw new ValidationError({
      file: `No skill of the archive can be taken. ${reasons.join(' ')}`,
    })
  }
  const missed = good.flatMap(({ path, skill }) => mentions(path, skill, others))
  const paths = others.slice(0, maxDroppedNames)
  const taken = good.map(({ skill }) => skill)
  const warnings = warningsOf(taken)
  return { files: taken, dropped: { total: others.length, paths, missed, refused, warnings } }
}

type Parsed = { path: string; skill: SkillFile }
type Refused = DroppedFiles['refused'][number]

function parseOne({ path, bytes }: ArchiveFile): Parsed | Refused {
  try {
    return { path, skill: parseSkill(bytes) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { path, reason: error.message }
  }
}

/** Separates the skills from the files that are none. Of several skills with one name, none is taken. */
function separated(files: readonly (Parsed | Refused)[]): { good: Parsed[]; refused: Refused[] } {
  const times = new Map<string, number>()
  for (const file of files) {
    if ('skill' in file) times.set(file.skill.name, (times.get(file.skill.name) ?? 0) + 1)
  }
  const good: Parsed[] = []
  const refused: Refused[] = []
  for (const file of files) {
    if ('reason' in file) refused.push(file)
    else if (times.get(file.skill.name) === 1) good.push(file)
    else refused.push({ path: file.path, reason: `Another file is named ${file.skill.name}, too.` })
  }
  return { good, refused }
}

const noneDropped: DroppedFiles = {
  total: 0,
  paths: [],
  missed: [],
  refused: [],
  warnings: [],
}

function warningsOf(files: readonly SkillFile[]): string[] {
  return files.flatMap((file) => skillWarnings(file).map((words) => `${file.name}: ${words}`))
}

/** Returns the files beside a SKILL.md, or below, that its text names. */
function mentions(
  path: string,
  { name, body }: SkillFile,
  others: readonly string[],
): DroppedFiles['missed'] {
  const folder = path.slice(0, -'SKILL.md'.length)
  const named = new Set(body.match(/[^\s`"'()<>[\]*]+/g)?.map(mentionedPath))
  return others
    .filter((other) => other.startsWith(folder) && named.has(other.slice(folder.length)))
    .slice(0, maxDroppedNames)
    .map((other) => ({ skill: name, path: other }))
}

function mentionedPath(word: string): string {
  return word.replace(/^\.\//, '').replace(/[.,:;!?]+$/, '')
}
