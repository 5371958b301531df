import type { BigIntStats } from 'node:fs'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises'
import { ToolError } from '@/lib/protocol/tool'
import {
  codeOf,
  type Folder,
  pathIn,
  readBytes,
  requireInside,
  spelledIn,
  withFile,
  withFolder,
} from './contained'
import { removeLeftovers, temporaryName } from './leftovers'
import { decodeFile, encodeText, type FileText, keepsBytes } from './text-file'
import { isWritable, notPermitted, partsOf } from './workspace-path'

/** The most bytes of a file that tools write, or write over: the version before is kept. */
export const mostWrittenBytes = 1024 * 1024
const newFileMode = 0o644

/** A file that is to be written: in which folder, under which name. */
type Target = { root: string; path: string }

/** The file that is there now; null: none. */
type Present = { file: FileText | null; stats: BigIntStats | null }

/** Returns the text of a file that may be written over; null = there is no file yet. Throws ToolError. */
export async function readBeforeWrite({ root, path }: Target): Promise<FileText | null> {
  return inFolderOf({ root, path }, async (folder, name) => (await present(folder, name)).file)
}

/** A text that takes the place of what must be there. `text` null = the file is deleted; `encoding` null = that of the old file. */
type Replacement = { expected: string | null; text: string | null; encoding?: string | null }

/**
 * Writes a file so that others see the old text or the new one, never a part (`text` null = deletes it). `expected` is what
 * must be there; `before` is called when everything is ready and what it keeps can be undone. Throws ToolError when it is not.
 */
export async function replaceFile(
  target: Target,
  { expected, text, encoding = null }: Replacement,
  before: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  await inFolderOf(target, async (folder, name) => {
    const old = await present(folder, name)
    if ((old.file?.text ?? null) !== expected) throw changedMeanwhile()
    if (text === null) {
      await before()
      await requireUnchanged(folder, name, old)
      return removeFile(folder, name)
    }
    const bytes = encodeText(text, encoding ?? old.file?.encoding ?? 'utf-8')
    if (bytes.length > mostWrittenBytes) throw tooLarge()
    await writeBeside(folder, { name, bytes, old, before })
  })
}

/** Works in the folder of a file, without what killed writers left there: also the look after a crash tidies up. */
async function inFolderOf<T>(
  { root, path }: Target,
  use: (folder: Folder, name: string) => Promise<T>,
): Promise<T> {
  const parts = partsOf(path)
  const name = parts.pop()
  if (name === undefined || !isWritable(name) || !parts.every(isWritable)) throw notPermitted()
  return withFolder(root, parts, async (folder) => {
    await removeLeftovers(folder)
    return use(folder, await spelledIn(folder, name))
  })
}

async function present(folder: Folder, name: string): Promise<Present> {
  return withFile(
    folder,
    name,
    async (file): Promise<Present> => {
      // Another name of the same file may be outside.
      if (file.stats.nlink > 1n) throw notPermitted()
      const bytes = await readBytes(file, mostWrittenBytes)
      if (bytes === null) throw tooLarge()
      const text = decodeFile(bytes)
      if (text === null)
        throw new ToolError('binary', 'This file is no text, so it is not changed.')
      if (!keepsBytes(text, bytes)) {
        throw new ToolError(
          'binary',
          `Some bytes of this file would be lost as ${text.encoding}, so it is not changed.`,
        )
      }
      return { file: text, stats: file.stats }
    },
    async () => ({ file: null, stats: null }),
  )
}

type Writing = { name: string; bytes: Buffer; old: Present; before: () => Promise<unknown> }

async function writeBeside(folder: Folder, { name, bytes, old, before }: Writing): Promise<void> {
  const temporary = pathIn(folder, await temporaryName())
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(temporary, flags, 0o600).catch(refuseReadOnly)
  try {
    try {
      await handle.writeFile(bytes)
      await likeBefore(handle, old, folder)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await before()
    await requireInside(folder)
    await requireUnchanged(folder, name, old)
    await rename(temporary, pathIn(folder, name))
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw codeOf(error) === 'EISDIR' ? changedMeanwhile() : error
  }
  await folder.handle.sync()
}

async function removeFile(folder: Folder, name: string): Promise<void> {
  await requireInside(folder)
  await unlink(pathIn(folder, name)).catch(refuseReadOnly)
  await folder.handle.sync()
}

/**
 * Gives a new file the mode and, where the server may, the owner of the old one. Without an old one it gets the owner of the
 * workspace, as whom programs run there.
 */
async function likeBefore(handle: FileHandle, { stats }: Present, { root }: Folder): Promise<void> {
  const owner = stats ?? (process.getuid?.() === 0 ? await lstat(root) : null)
  // Only root may give files away; for others the new file is the server's own.
  if (owner) await handle.chown(Number(owner.uid), Number(owner.gid)).catch(() => undefined)
  await handle.chmod(stats === null ? newFileMode : Number(stats.mode & 0o777n))
}

/** Throws ToolError when another file stands there than the one that was read, or it was written to since. */
async function requireUnchanged(folder: Folder, name: string, { stats }: Present): Promise<void> {
  const now = await withFile(
    folder,
    name,
    async (file): Promise<BigIntStats | null> => file.stats,
    async () => null,
  )
  const facts = (each: BigIntStats | null) =>
    each && [each.dev, each.ino, each.size, each.mtimeNs, each.ctimeNs, each.nlink].join()
  if (facts(now) !== facts(stats)) throw changedMeanwhile()
}

function refuseReadOnly(error: unknown): never {
  if (['EROFS', 'EACCES', 'EPERM'].includes(codeOf(error))) {
    throw new ToolError(
      'read-only',
      'The server may not write in this folder. An admin can change that.',
    )
  }
  throw error
}

function changedMeanwhile(): ToolError {
  return new ToolError(
    'changed-meanwhile',
    'The file changed meanwhile. Read it again, then try again.',
  )
}

function tooLarge(): ToolError {
  return new ToolError(
    'too-large',
    'The file is larger than 1 MiB, which is the most that is written.',
  )
}
