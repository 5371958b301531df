import type { BigIntStats } from 'node:fs'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readFile, readlink } from 'node:fs/promises'
import { ToolError } from '@/lib/protocol/tool'
import { isVisible, notPermitted } from './workspace-path'

// File access of tools inside a workspace. Each name is opened through the descriptor of the folder before it and never
// followed when it is a link, so a rename or a link by another process cannot lead out.

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants
/** Finds a file without opening it: a device does nothing, a fifo does not wait. Node does not name it. */
const O_PATH = 0o10000000
const foundFolder = O_PATH | O_DIRECTORY | O_NOFOLLOW
const readFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK
const foundFile = O_PATH | O_NOFOLLOW
const readable = O_RDONLY | O_NONBLOCK

/** An open folder of a workspace. `mount` is the file system that the workspace is on. */
export type Folder = { handle: FileHandle; root: string; mount: string }

/** A regular file that was found, and as it was then. */
type FoundFile = { handle: FileHandle; stats: BigIntStats }

/** Opens a folder of a workspace, works with it and closes it. `root` is the real path of the workspace. */
export async function withFolder<T>(
  root: string,
  parts: readonly string[],
  use: (folder: Folder) => Promise<T>,
): Promise<T> {
  requireLinux()
  const found = await openRoot(root)
  let folder: Folder
  try {
    folder = { handle: found, root, mount: await mountOf(found) }
  } catch (error) {
    await found.close()
    throw error
  }
  return descend(folder, parts, use)
}

/** Opens a folder below another one, works with it and closes it. */
export async function withChild<T>(
  folder: Folder,
  name: string,
  use: (child: Folder) => Promise<T>,
): Promise<T> {
  return closing(await openChild(folder, name), use)
}

/** Goes down from an open folder, which is closed on the way. */
async function descend<T>(
  folder: Folder,
  [name, ...rest]: readonly string[],
  use: (folder: Folder) => Promise<T>,
): Promise<T> {
  if (name === undefined) return closing(folder, use)
  const child = await closing(folder, (parent) => openChild(parent, name))
  return descend(child, rest, use)
}

async function closing<T>(folder: Folder, use: (folder: Folder) => Promise<T>): Promise<T> {
  try {
    return await use(folder)
  } finally {
    await folder.handle.close()
  }
}

async function openChild(folder: Folder, typed: string): Promise<Folder> {
  const name = await spelledIn(folder, typed)
  if (!isVisible(name)) throw notPermitted()
  const handle = await permitted(open(pathIn(folder, name), readFolder))
  return { ...folder, handle: await onMount(folder, handle) }
}

/**
 * Returns a name as a folder has it: Unicode spells a letter with an accent in two ways, which look alike. The typed spelling comes
 * first, and is returned where there is neither.
 */
export async function spelledIn(folder: Folder, typed: string): Promise<string> {
  const spellings = new Set([typed, typed.normalize('NFC'), typed.normalize('NFD')])
  if (spellings.size === 1) return typed
  for (const name of spellings) {
    const isThere = isVisible(name) && (await lstat(pathIn(folder, name)).catch(() => null))
    if (isThere) return name
  }
  return typed
}

/** Returns the parts of a path as the folders of a workspace have them. */
export async function spelledParts(root: string, typed: readonly string[]): Promise<string[]> {
  const parts: string[] = []
  for (const part of typed)
    parts.push(await withFolder(root, parts, (folder) => spelledIn(folder, part)))
  return parts
}

/** Opens the folder of a workspace from the root of the server on, so that no link in its path is followed either. */
async function openRoot(root: string): Promise<FileHandle> {
  const parts = root.split('/').filter((part) => part !== '')
  let at = await open('/', foundFolder)
  for (const [place, part] of parts.entries()) {
    const flags = place === parts.length - 1 ? readFolder : foundFolder
    try {
      const next = await permitted(open(`/proc/self/fd/${at.fd}/${part}`, flags))
      await at.close()
      at = next
    } catch (error) {
      await at.close()
      throw error
    }
  }
  return at
}

/**
 * Finds a regular file in a folder, works with it and closes it. Throws ToolError for a link, a device, a socket, a fifo, a
 * folder and what is mounted there. `missing` answers when there is nothing of this name.
 */
export async function withFile<T>(
  folder: Folder,
  typed: string,
  use: (file: FoundFile) => Promise<T>,
  missing: () => Promise<T> = () => Promise.reject(notPermitted()),
): Promise<T> {
  const name = await spelledIn(folder, typed)
  if (!isVisible(name)) throw notPermitted()
  const found = await open(pathIn(folder, name), foundFile).catch((error) => {
    if (codeOf(error) === 'ENOENT') return null
    throw refusal(error)
  })
  if (found === null) return missing()
  const handle = await onMount(folder, found)
  try {
    const stats = await handle.stat({ bigint: true })
    if (!stats.isFile()) throw notPermitted()
    return await use({ handle, stats })
  } finally {
    await handle.close()
  }
}

/** Reads a file that was found, at most so many bytes; null = it has more. Nothing else can stand in its place. */
export async function readBytes({ handle }: FoundFile, most: number): Promise<Buffer | null> {
  const reading = await permitted(open(`/proc/self/fd/${handle.fd}`, readable))
  try {
    const pieces: Buffer[] = []
    let total = 0
    while (total <= most) {
      const size = Math.min(pieceBytes, most + 1 - total)
      const { bytesRead, buffer } = await reading.read(Buffer.allocUnsafe(size), 0, size, null)
      if (bytesRead === 0) return Buffer.concat(pieces, total)
      pieces.push(buffer.subarray(0, bytesRead))
      total += bytesRead
    }
    return null
  } finally {
    await reading.close()
  }
}

const pieceBytes = 256 * 1024

/** Returns the path that leads to a name through the descriptor of its folder. Whoever opens it must not follow links. */
export function pathIn({ handle }: Folder, name: string): string {
  return `/proc/self/fd/${handle.fd}/${name}`
}

/** Throws ToolError when an open folder was moved out of its workspace, or deleted. */
export async function requireInside({ handle, root }: Folder): Promise<void> {
  const path = await readlink(`/proc/self/fd/${handle.fd}`)
  if (path !== root && !path.startsWith(`${root}/`)) throw notPermitted()
}

/** Returns what was opened, if it is on the file system of its folder: what is mounted inside counts as outside. */
async function onMount({ mount }: Folder, handle: FileHandle): Promise<FileHandle> {
  try {
    if ((await mountOf(handle)) === mount) return handle
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  throw notPermitted()
}

async function mountOf({ fd }: FileHandle): Promise<string> {
  const facts = await readFile(`/proc/self/fdinfo/${fd}`, 'latin1')
  const mount = /^mnt_id:\s*(\d+)$/m.exec(facts)?.[1]
  if (mount === undefined) throw new Error('This system does not say which mount a file is on.')
  return mount
}

async function permitted<T>(opening: Promise<T>): Promise<T> {
  return opening.catch((error) => {
    throw refusal(error)
  })
}

/** Error codes for a name that is missing, is no folder, is a link, or may not be opened. */
const refusals: ReadonlySet<string> = new Set([
  'EACCES',
  'EINVAL',
  'ELOOP',
  'ENAMETOOLONG',
  'ENODEV',
  'ENOENT',
  'ENOTDIR',
  'ENXIO',
  'EPERM',
  'ESTALE',
])

function refusal(error: unknown): unknown {
  return refusals.has(codeOf(error)) ? notPermitted() : error
}

/** Returns the code of a system's error, such as ENOENT. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function requireLinux(): void {
  if (process.platform === 'linux') return
  throw new ToolError('needs-linux', 'Workspaces need a server on Linux. This one is not.')
}
