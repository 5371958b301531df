import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { formatBytes } from '@/lib/words/format'
import { type Finding, fail, ok, warn } from './finding'

const check = 'Data folder'
const secretFiles = ['vault-key', 'session-secret', 'database-password']
const wantedBytes = 1024 ** 3
const neededBytes = 100 * 1024 ** 2

/** Checks whether the folder is writable, its secrets are unreadable for others, and the disk has free space. */
export async function checkDataFolder(folder: string): Promise<Finding[]> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return [
      fail(
        check,
        `${folder} cannot be written`,
        'Give this user write access, or set TOOLGATE_DATA_DIR to another folder.',
      ),
    ]
  }
  return [await checkModes(folder), await checkRoom(folder)]
}

async function checkModes(folder: string): Promise<Finding> {
  const open: string[] = []
  // As root the database's own user must be able to pass through the folder, but not to list it.
  if (((await modeOf(folder)) & 0o067) !== 0) open.push(folder)
  for (const name of secretFiles) {
    const file = path.join(folder, name)
    if (((await modeOf(file)) & 0o077) !== 0) open.push(file)
  }
  if (open.length === 0 || process.platform === 'win32') return ok(check, `${folder} is private`)
  return fail(
    check,
    `other users of this machine can read ${open.join(', ')}`,
    `Run: chmod go-rw ${open.join(' ')}`,
  )
}

/** Returns the file mode; 0 for a missing file, because secrets may come from the environment. */
async function modeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ mode }) => mode,
    () => 0,
  )
}

async function checkRoom(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const detail = `${formatBytes(free)} free`
  if (free >= wantedBytes) return ok('Disk', detail)
  const advice = 'Free some disk space. The database needs it for the journals of runs.'
  return free >= neededBytes ? warn('Disk', detail, advice) : fail('Disk', detail, advice)
}
