import { execFile } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { promisify } from 'node:util'
import { openProcessLimit, removeLeftGroups } from './process-limit'

const mebibyte = 1024 * 1024

/** Where the workspace is for a program in the sandbox; where it is on the server stays unknown to it. */
export const workspacePlace = '/workspace'

/** What a program sees: only its own processes, no network unless it is opened, and nothing of the server but programs. */
export type Box = {
  /** The real path of the workspace. */
  root: string
  isWritable: boolean
  network: boolean
  /** Files and folders outside of the system's that it may read. */
  readable: readonly string[]
  /** What below the workspace it sees empty: files and folders. */
  hidden: { files: readonly string[]; folders: readonly string[] }
  /** Places below the workspace where a file or folder of ours stands. */
  replaced: readonly { place: string; by: string }[]
  /** Places below the workspace that it cannot write, although the workspace is writable. */
  readOnly: readonly string[]
}

const isolation = [
  ...['--die-with-parent', '--new-session', '--unshare-user', '--unshare-pid', '--unshare-ipc'],
  ...['--unshare-uts', '--unshare-cgroup-try', '--cap-drop', 'ALL', '--hostname', 'workspace'],
]

/** Folders with programs and their libraries; on many systems some are links into /usr. */
const systemFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
const systemFiles = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime', '/etc/magic']
const networkFiles = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/ssl']
const certificates = ['/etc/ca-certificates', '/etc/pki']

/** Returns how bubblewrap begins: the program and its arguments follow. */
export function boxed(box: Box): string[] {
  const { root, isWritable, network, readable, hidden } = box
  const files = [...systemFiles, ...(network ? [...networkFiles, ...certificates] : [])]
  return [
    ...['bwrap', ...isolation, ...(network ? [] : ['--unshare-net'])],
    ...['--ro-bind', '/usr', '/usr', ...systemFolders.flatMap(sameFolder)],
    ...files.flatMap((file) => ['--ro-bind-try', file, file]),
    // As root, a program without rights could still write to some files of the kernel.
    ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev', ...memoryFolder('/dev/shm')],
    ...['--remount-ro', '/dev', ...memoryFolder('/tmp')],
    ...readable.flatMap((place) => ['--ro-bind', place, place]),
    ...[isWritable ? '--bind' : '--ro-bind', root, workspacePlace],
    ...box.readOnly.flatMap((place) => covered(`${root}/${place}`, place)),
    ...hidden.files.flatMap((file) => ['--ro-bind', '/dev/null', `${workspacePlace}/${file}`]),
    ...hidden.folders.flatMap((folder) => ['--tmpfs', `${workspacePlace}/${folder}`]),
    ...box.replaced.flatMap(({ place, by }) => covered(by, place)),
    ...['--remount-ro', '/', '--chdir', '/', '--'],
  ]
}

function covered(source: string, place: string): string[] {
  return ['--ro-bind', source, `${workspacePlace}/${place}`]
}

/** Makes a folder in memory that only this program has, and that ends with it. */
function memoryFolder(place: string): string[] {
  return ['--size', String(64 * mebibyte), '--tmpfs', place]
}

function sameFolder(folder: string): string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found) return []
  return found.isSymbolicLink()
    ? ['--symlink', `usr${folder}`, folder]
    : ['--ro-bind', folder, folder]
}

/** A box that covers nothing in its workspace. */
export const nothingCovered: Pick<Box, 'hidden' | 'replaced' | 'readOnly'> = {
  hidden: { files: [], folders: [] },
  replaced: [],
  readOnly: [],
}

let known: Promise<string | null> | null = null

/** Returns why programs cannot be kept in a sandbox on this server, as a sentence; null = they can. It is tried once. */
export function sandboxTrouble(): Promise<string | null> {
  known ??= findTrouble()
  return known
}

async function findTrouble(): Promise<string | null> {
  await removeLeftGroups()
  if (process.platform !== 'linux') return 'A sandbox for programs needs a server on Linux.'
  const box = {
    ...nothingCovered,
    root: '/usr',
    isWritable: false,
    network: false,
    readable: [],
  }
  const [program = '', ...args] = [...boxed(box), 'true']
  try {
    await promisify(execFile)(program, args, { timeout: 5_000 })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'bubblewrap (bwrap) is not installed on the server.'
    return 'bubblewrap may not make a sandbox on this server: its system or its container forbids user namespaces.'
  }
  const limit = await openProcessLimit(1)
  if (limit === null)
    return 'This server runs as root and has no control groups, so the number of processes cannot be limited. Run it as another user.'
  await limit.close()
  return null
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
