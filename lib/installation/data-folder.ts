import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { programFolder } from '@/lib/kernel/own-program'
import { InstallationError } from './installation-error'

export const INSTALLATION_ROOT = rootAbove(import.meta.dirname)

/** Returns the root of the program: two folders above this one, or the folder of node_modules where lib/ is compiled into a package. */
function rootAbove(folder: string): string {
  const compiled = folder.lastIndexOf(path.join('/node_modules/@toolgate/server'))
  return compiled < 0 ? path.join(folder, '../..') : programFolder(folder.slice(0, compiled))
}

/**
 * Returns the path of the folder that stores everything of this installation. Creates it if missing, closed to other
 * users.
 */
export async function openDataFolder(): Promise<string> {
  const folder = path.resolve(INSTALLATION_ROOT, process.env.TOOLGATE_DATA_DIR ?? '.data')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { mode } = await stat(folder)
  // As root, a group may pass through the folder (cluster.ts).
  if ((mode & 0o067) !== 0) await chmod(folder, 0o700)
  return folder
}

/**
 * Returns the trimmed text of `file`. If it does not exist, writes `make()` to it (mode 0600). Two processes at once
 * get the same text, and a crash never leaves half of it. Throws InstallationError for an empty file.
 */
export async function keepFile(file: string, make: () => string): Promise<string> {
  const existing = await readFile(file, 'utf8').catch(ignoreMissing)
  if (existing?.trim() === '') {
    throw new InstallationError(
      `There is nothing in ${file}: put back the file from where you copied the folder, or delete it where nothing was stored with it. Nothing was changed.`,
    )
  }
  if (existing !== undefined) return existing.trim()
  const draft = `${file}.${randomUUID()}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${make()}\n`)
    await handle.sync()
    await link(draft, file).catch(ignoreExisting)
  } finally {
    await handle.close()
    await rm(draft)
  }
  return (await readFile(file, 'utf8')).trim()
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function ignoreExisting(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error
}
