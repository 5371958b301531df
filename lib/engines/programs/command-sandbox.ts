import { once } from 'node:events'
import { lstatSync } from 'node:fs'
import { firstInput, launch } from './launch'
import { endGroup } from './process-group'
import { removeLeftGroups } from './process-limit'
import { systemCallFilter } from './system-calls'

const mebibyte = 1024 * 1024

/** Path of the workspace inside the sandbox. The program does not learn its path on the server. */
export const workspacePlace = '/workspace'

/** A user and a group of the server, by their numbers. */
export type Owner = { uid: number; gid: number }

/** `ids`: the device and number of each. */
type Hidden = { files: readonly string[]; folders: readonly string[]; ids: readonly string[] }

/**
 * Contents of a sandbox: only its own processes, no network unless it is opened, and nothing of the server but
 * programs.
 */
export type Box = {
  /** The real path of the workspace. */
  root: string
  isWritable: boolean
  network: boolean
  /** Files and folders outside of the system's that it may read. */
  readable: readonly string[]
  /** Files and folders of the workspace that appear empty. */
  hidden: Hidden
  /** As whom it runs on the server; null = as the user that this server runs as, which is not root. */
  owner: Owner | null
  /** Places below the workspace where a file or folder of ours stands. */
  replaced: readonly { place: string; by: string }[]
  /** Places below the workspace that it cannot write, although the workspace is writable. */
  readOnly: readonly MountPoint[]
  /** Folders around hidden places. It can neither rename nor remove them, so that nothing hidden gets another path. */
  held: readonly MountPoint[]
}

/** A place below the workspace, with the device and number of the file or folder that was found there. */
export type MountPoint = { place: string; id: string }

/** A command that makes a sandbox, and what it reads from descriptors: the program and its arguments follow the command. */
export type BoxCommand = { command: string[]; inputs: Buffer[] }

const isolation = [
  '--die-with-parent',
  '--new-session',
  '--unshare-user',
  '--disable-userns',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
  '--hostname',
  'workspace',
]

/** Folders with programs and their libraries; on many systems some are links into /usr. */
const systemFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
const systemFiles = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime', '/etc/magic']
const networkFiles = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/ssl']
const certificates = ['/etc/ca-certificates', '/etc/pki']

/**
 * Returns how bubblewrap begins. What it makes is told by a descriptor, because a program can read the arguments of the
 * process that made its sandbox. `sharedMemory` false: no memory that outlives its process. Throws where no filter of system calls is known for the processor.
 */
export function boxed(box: Box, memory: { sharedMemory: boolean }): BoxCommand {
  const filter = systemCallFilter(process.arch, memory)
  if (filter === null) throw new Error('No filter of system calls is known for this processor.')
  const { owner, root, readable, replaced } = box
  const places = [...new Set([root, ...readable, ...replaced.map(({ by }) => by)])]
  const sources = new Map(
    places.map((place, index) => [place, owner === null ? place : `/tmp/${index}`]),
  )
  const options = ['--seccomp', String(firstInput + 1), ...mountsOf(box, sources)]
  return {
    command: [
      ...(owner === null ? [] : asOwner(owner, sources)),
      'bwrap',
      '--args',
      String(firstInput),
      '--',
    ],
    inputs: [Buffer.from(options.map((option) => `${option}\0`).join('')), filter],
  }
}

/** Path that bubblewrap opens for a file or folder of the server. */
type Sources = ReadonlyMap<string, string>

/**
 * Becomes the owner of a workspace, from root on. Its folder may be below one that only root can enter, such as /root, so it is
 * mounted first where anybody can reach it: in `/tmp`, for this process alone.
 */
function asOwner({ uid, gid }: Owner, sources: Sources): string[] {
  return [
    'bwrap',
    '--die-with-parent',
    '--dev-bind',
    '/',
    '/',
    '--tmpfs',
    '/tmp',
    ...[...sources].flatMap(([place, source]) => ['--bind', place, source]),
    '--chdir',
    '/',
    '--',
    'setpriv',
    '--reuid',
    String(uid),
    '--regid',
    String(gid),
    '--clear-groups',
  ]
}

/** Returns what bubblewrap mounts. */
function mountsOf(
  { root, isWritable, network, readable, hidden, held, readOnly, replaced }: Box,
  sources: Sources,
): string[] {
  const sourceOf = (place: string) => sources.get(place) ?? place
  const files = [...systemFiles, ...(network ? [...networkFiles, ...certificates] : [])]
  return [
    ...isolation,
    ...(network ? [] : ['--unshare-net']),
    '--ro-bind',
    '/usr',
    '/usr',
    ...systemFolders.flatMap(sameFolder),
    ...files.flatMap((file) => ['--ro-bind-try', file, file]),
    '--proc',
    '/proc',
    '--remount-ro',
    '/proc',
    '--dev',
    '/dev',
    ...memoryFolder('/dev/shm'),
    '--remount-ro',
    '/dev',
    ...memoryFolder('/tmp'),
    ...readable.flatMap((place) => ['--ro-bind', sourceOf(place), place]),
    isWritable ? '--bind' : '--ro-bind',
    sourceOf(root),
    workspacePlace,
    // A mount point cannot be renamed.
    ...held.flatMap(({ place }) => [
      isWritable ? '--bind' : '--ro-bind',
      `${sourceOf(root)}/${place}`,
      `${workspacePlace}/${place}`,
    ]),
    ...readOnly.flatMap(({ place }) => covered(`${sourceOf(root)}/${place}`, place)),
    ...hidden.files.flatMap((file) => covered('/dev/null', file)),
    ...hidden.folders.flatMap((folder) => emptyFolder(`${workspacePlace}/${folder}`)),
    ...replaced.flatMap(({ place, by }) => covered(sourceOf(by), place)),
    '--remount-ro',
    '/',
    '--chdir',
    '/',
  ]
}

function covered(source: string, place: string): string[] {
  return ['--ro-bind', source, `${workspacePlace}/${place}`]
}

/** Makes a folder in memory that only this program has, and that ends with it. */
function memoryFolder(place: string): string[] {
  return ['--size', String(64 * mebibyte), '--tmpfs', place]
}

/** Hides a folder. Nothing can be written there: that would be memory without a limit. */
function emptyFolder(place: string): string[] {
  return ['--size', '4096', '--tmpfs', place, '--remount-ro', place]
}

function sameFolder(folder: string): string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found) return []
  return found.isSymbolicLink()
    ? ['--symlink', `usr${folder}`, folder]
    : ['--ro-bind', folder, folder]
}

/** A box that covers nothing in its workspace. */
export const nothingCovered: Pick<Box, 'hidden' | 'replaced' | 'readOnly' | 'held'> = {
  hidden: { files: [], folders: [], ids: [] },
  replaced: [],
  readOnly: [],
  held: [],
}

let known: Promise<string | null> | null = null

/** Returns why programs cannot be kept in a sandbox on this server, as a sentence; null = they can. It is tried once. */
export function sandboxProblem(): Promise<string | null> {
  known ??= findProblem()
  return known
}

/** As whom a sandbox is tried: the user that no file belongs to. */
export const nobody: Owner = { uid: 65_534, gid: 65_534 }

const tryMs = 5_000
/** Ends with 3 where a program is missing that is used around the programs of a workspace. */
const neededPrograms =
  'for each in find stat nice; do command -v "$each" >/dev/null || exit 3; done; exit 0'

async function findProblem(): Promise<string | null> {
  await removeLeftGroups()
  if (process.platform !== 'linux') return 'A sandbox for programs needs a server on Linux.'
  if (systemCallFilter() === null)
    return `A sandbox for programs needs a processor whose system calls Toolgate can filter, x64 or arm64. This one is ${process.arch}.`
  const { exitCode, errors } = await tryBox()
  if (exitCode === 0) return null
  if (exitCode === 127) return 'bubblewrap (bwrap) is not installed on the server.'
  if (exitCode === 3)
    return 'find, stat or nice is not installed on the server (findutils, coreutils).'
  if (/unknown option/i.test(errors))
    return 'bubblewrap (bwrap) is too old on the server: programs need 0.8 or newer.'
  if (/setpriv/.test(errors)) return 'setpriv (util-linux) is not installed on the server.'
  const forbids = process.getuid?.() === 0 ? 'or allows them to root alone' : 'for this user'
  return `bubblewrap may not make a sandbox on this server: its system or its container forbids user namespaces, ${forbids}.`
}

/** Runs a small script in a sandbox. */
async function tryBox(): Promise<{ exitCode: number | null; errors: string }> {
  const { command, inputs } = boxed(
    {
      ...nothingCovered,
      root: '/usr',
      isWritable: false,
      network: false,
      readable: [],
      owner: process.getuid?.() === 0 ? nobody : null,
    },
    { sharedMemory: true },
  )
  const whole = [...command, '/bin/sh', '-c', neededPrograms]
  const child = launch(whole, { PATH: '/usr/local/bin:/usr/bin:/bin' }, inputs)
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const { pid } = child
  const end = () => pid !== undefined && endGroup(pid)
  const timer = setTimeout(end, tryMs)
  // A process that waits for the end of this one stays and holds a stream open.
  child.once('exit', end)
  const [exitCode] = await once(child, 'close').catch(() => [null])
  clearTimeout(timer)
  return { exitCode, errors }
}
