import { execFile } from 'node:child_process'
import { readdir, stat, statfs } from 'node:fs/promises'

/** Limits for the writes of a command, in bytes. `freeBytes`: space that stays free on the disk. */
export type DiskLimits = { callBytes: number; workspaceBytes: number; freeBytes: number }

/**
 * The exceeded limit and the measured value: bytes of the workspace by one call, bytes of all of it, bytes left on its
 * disk, or files.
 */
export type DiskExcess = { kind: 'call' | 'workspace' | 'free' | 'files'; bytes: number }

/** Disk use of a folder. `isWhole` false: a part of it could not be read. */
type DiskUse = { bytes: number; isWhole: boolean; free: number; freeFiles: number }

/** A folder that is watched, with what it took before. */
export type DiskWatch = { folder: string; before: DiskUse; limits: DiskLimits }

const everyMs = 200
/** A count is made at least so often: what others delete hides what the command writes. */
const longestMs = 5_000
const longestCountMs = 30_000
/** Files and folders take room, too. In a workspace with more of them, no program starts. */
const mostFiles = 200_000

/** Returns what a folder takes on its disk, without what is mounted in it. */
export async function measureDisk(folder: string): Promise<DiskUse> {
  const { said, errors } = await du(['-skx', '--', folder])
  const bytes = Number.parseInt(said, 10) * 1_024
  const isWhole = !Number.isNaN(bytes) && !couldNotRead(errors)
  return { bytes: bytes || 0, isWhole, ...(await roomOn(folder)) }
}

/** Returns what keeps a command from starting; null = there is room for it. */
export function excessAtStart(use: DiskUse, limits: DiskLimits): DiskExcess | null {
  if (use.free < limits.freeBytes) return { kind: 'free', bytes: use.free }
  if (use.bytes > limits.workspaceBytes) return { kind: 'workspace', bytes: use.bytes }
  return null
}

/**
 * Watches what a command writes. The free room of the disk is looked at often, and what the folder takes is counted before a
 * command is blamed for what is missing. `pids` returns its processes: what they have open stays after it was deleted.
 */
export function watchDisk(
  { folder, before, limits }: DiskWatch,
  pids: () => Promise<readonly number[]>,
  onExcess: (excess: DiskExcess) => void,
): () => void {
  let counted = { bytes: before.bytes, free: before.free, at: Date.now(), ms: 0 }
  let isLooking = false
  const look = async (): Promise<DiskExcess | null> => {
    const { free, freeFiles } = await roomOn(folder)
    if (free < limits.freeBytes) return { kind: 'free', bytes: free }
    if (before.freeFiles - freeFiles > mostFiles && (await hasManyFiles(folder)))
      return { kind: 'files', bytes: 0 }
    const room = Math.min(
      limits.callBytes - (counted.bytes - before.bytes),
      limits.workspaceBytes - counted.bytes,
    )
    const began = Date.now()
    const isOld = began - counted.at > Math.max(longestMs, 20 * counted.ms)
    const maybe = counted.free - free >= room && began - counted.at > 4 * counted.ms
    if (!isOld && !maybe) return null
    const use = await measureDisk(folder)
    const deleted = await openDeleted(folder, await pids())
    // Folders that cannot be read are counted by the space that is missing on the disk.
    const missing = use.isWhole ? 0 : before.bytes + before.free - use.free
    const bytes = Math.max(use.bytes + deleted, missing)
    counted = { bytes, free: use.free, at: Date.now(), ms: Date.now() - began }
    if (bytes - before.bytes > limits.callBytes)
      return { kind: 'call', bytes: bytes - before.bytes }
    return bytes > limits.workspaceBytes ? { kind: 'workspace', bytes } : null
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      .then((excess) => excess && onExcess(excess))
      // The folder may be gone, and with it what is counted.
      .catch(() => undefined)
      .finally(() => {
        isLooking = false
      })
  }, everyMs)
  return () => clearInterval(timer)
}

async function roomOn(folder: string): Promise<{ free: number; freeFiles: number }> {
  const { bavail, bsize, ffree } = await statfs(folder)
  return { free: bavail * bsize, freeFiles: ffree }
}

async function hasManyFiles(folder: string): Promise<boolean> {
  const { said } = await du(['--inodes', '-sx', '--', folder])
  // Some systems cannot count them.
  return !(Number.parseInt(said, 10) <= mostFiles)
}

/** Counts in a process of its own, which takes no time from others. */
function du(args: readonly string[]): Promise<{ said: string; errors: string }> {
  const env = Object({ PATH: process.env.PATH, LC_ALL: 'C' })
  return new Promise((resolve) => {
    execFile('du', args, { timeout: longestCountMs, env }, (_, said, errors) =>
      resolve({ said, errors }),
    )
  })
}

/** Returns whether `du` could not look at something. What was deleted meanwhile is none of it. */
function couldNotRead(said: string): boolean {
  return said.split('\n').some((line) => line !== '' && !line.endsWith('No such file or directory'))
}

/** Returns the bytes of files that have no name any more and are still open, on the disk of the folder. */
async function openDeleted(folder: string, pids: readonly number[]): Promise<number> {
  const { dev } = await stat(folder)
  const found = new Map<number, number>()
  for (const pid of pids) {
    const place = `/proc/${pid}/fd`
    for (const name of await readdir(place).catch(() => [])) {
      const facts = await stat(`${place}/${name}`).catch(() => null)
      if (facts?.isFile() && facts.nlink === 0 && facts.dev === dev)
        found.set(facts.ino, facts.blocks * 512)
    }
  }
  return [...found.values()].reduce((sum, bytes) => sum + bytes, 0)
}
