import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { chmod, type FileHandle, open, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const setIdBits = 0o6000n
const { O_DIRECTORY, O_NOFOLLOW } = constants
/** Finds a file without opening it. Node does not name it. */
const O_PATH = 0o10000000
const mostListBytes = 64 * 1024 * 1024

/**
 * Takes the set-user-id and set-group-id bits from the regular files below a folder, on its file system. Returns how many had
 * them. No link is followed, and a file with a further name elsewhere is left as it is unless it belongs to the owner of the
 * folder: another program may need it. `id`: the device and number of the folder, null = any; throws when it is another one.
 */
export async function clearSetIdFiles(root: string, id: string | null = null): Promise<number> {
  const folder = await open(root, constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    const { dev, ino } = await folder.stat({ bigint: true })
    if (id !== null && id !== `${dev}:${ino}`) throw new Error('The folder is another one by now.')
    let cleared = 0
    for (const name of splitAtZeros(await listSetIdFiles(folder)))
      if (await clear(folder, name.subarray(2)).catch(() => false)) cleared += 1
    return cleared
  } finally {
    await folder.close()
  }
}

/** Returns whether set-id bits mean nothing below a folder; true where that cannot be read. */
export async function isOnNosuidMount(folder: string): Promise<boolean> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  const mounts = text.split('\n').map((line) => line.split(' '))
  const [above] = mounts
    .map((fields) => ({ place: withoutEscapes(fields[4] ?? ''), options: fields[5] ?? '' }))
    .filter(({ place }) => place === '/' || `${folder}/`.startsWith(`${place}/`))
    // Of two mounts at a place, the later one is seen.
    .reverse()
    .sort((a, b) => b.place.length - a.place.length)
  return above?.options.split(',').includes('nosuid') ?? true
}

/** Returns a place as it is: the kernel writes spaces and others as numbers. */
function withoutEscapes(place: string): string {
  return place.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)))
}

/** Returns the names of files with set-id bits, which begin with "./", each with a zero behind it. */
async function listSetIdFiles(folder: FileHandle): Promise<Buffer> {
  const args = ['.', '-xdev', '-type', 'f', '-perm', '/6000', '-print0']
  try {
    const listed = await promisify(execFile)('find', args, {
      cwd: `/proc/${process.pid}/fd/${folder.fd}`,
      encoding: 'buffer',
      maxBuffer: mostListBytes,
    })
    return listed.stdout
  } catch (error) {
    // Folders that went meanwhile, or that may not be read, are no failure.
    if (error instanceof Error && isPartial(error)) return error.stdout
    throw error
  }
}

/** Returns whether `find` itself ran, and complained of some folders alone. */
function isPartial(error: Error): error is Error & { stdout: Buffer } {
  return 'code' in error && error.code === 1 && 'stdout' in error && error.stdout instanceof Buffer
}

/** Returns the parts of bytes, because names of files need be no text. */
function splitAtZeros(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at)
    parts.push(bytes.subarray(at, end))
    at = end + 1
  }
  return parts
}

/** Opens each folder of a path by the one before it, so that a rename meanwhile leads to no file outside. */
async function clear(root: FileHandle, below: Buffer): Promise<boolean> {
  const { uid: owner, dev } = await root.stat({ bigint: true })
  const opened: FileHandle[] = []
  try {
    let at = root
    for (const part of splitPath(below)) {
      const place = Buffer.concat([Buffer.from(`/proc/self/fd/${at.fd}/`), part])
      at = await open(place, O_PATH | O_NOFOLLOW)
      opened.push(at)
    }
    const stats = await at.stat({ bigint: true })
    const isOurs = stats.nlink === 1n || stats.uid === owner
    if (!stats.isFile() || stats.dev !== dev || !isOurs || !(stats.mode & setIdBits)) return false
    // The descriptor leads to this file alone, whatever has its name by now.
    await chmod(`/proc/self/fd/${at.fd}`, Number(stats.mode & 0o1777n))
    return true
  } finally {
    for (const handle of opened) await handle.close()
  }
}

function splitPath(below: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at <= below.length; ) {
    const slash = below.indexOf('/', at)
    const end = slash === -1 ? below.length : slash
    parts.push(below.subarray(at, end))
    at = end + 1
  }
  return parts
}
