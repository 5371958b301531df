import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { env } from '../../kernel/env'
import { ValidationError } from '../../kernel/errors'

export const needsLinux =
  'Workspaces need a server on Linux, where tools can be kept inside a folder. This server is not on Linux.'

/** Folders of the system: neither they nor what is in them or around them is a workspace. */
const systemFolders = [
  ...['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/proc', '/run'],
  ...['/sbin', '/snap', '/sys', '/usr', '/var/cache', '/var/lib', '/var/log', '/var/run'],
  '/var/spool',
]
/** Folders that hold those of people: they are no workspaces, what is in them may be. */
const homes = ['/home', '/root']

/**
 * Returns where a folder leads, with every link resolved. Throws ValidationError when it is missing, no folder, or one that
 * tools must not see: of the system, with the data of Toolgate or with its program.
 */
export async function resolveFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => null)
  const found = real === null ? null : await stat(real).catch(() => null)
  if (real === null || !found?.isDirectory()) {
    throw refused('There is no such folder on the server, or the server may not open it.')
  }
  if (homes.includes(real) || systemFolders.some((each) => overlap(real, each))) {
    throw refused(`${real} is a folder of the system. Pick one that holds only files for tools.`)
  }
  const data = await realpath(path.resolve(env().TOOLGATE_DATA_DIR)).catch(() => null)
  if (data !== null && overlap(real, data)) {
    throw refused('It has the data of Toolgate in it, or is in its data folder. Pick another one.')
  }
  if (overlap(real, await realpath(process.cwd()))) {
    throw refused('It has the program of Toolgate in it, or is part of it. Pick another one.')
  }
  return real
}

/** Returns why tools cannot use a folder now, as a sentence; null = they can. */
export async function folderTrouble(realFolder: string): Promise<string | null> {
  if (process.platform !== 'linux') return needsLinux
  try {
    const now = await resolveFolder(realFolder)
    return now === realFolder
      ? null
      : 'The folder leads elsewhere than when it was saved. Save it again to use it.'
  } catch (error) {
    if (error instanceof ValidationError) return error.fields.folder ?? error.message
    throw error
  }
}

/** Returns whether one of two folders is the other one or in it. */
function overlap(a: string, b: string): boolean {
  return isIn(a, b) || isIn(b, a)
}

function isIn(inner: string, outer: string): boolean {
  const way = path.relative(outer, inner)
  return way === '' || !(way === '..' || way.startsWith('../'))
}

function refused(sentence: string): ValidationError {
  return new ValidationError({ folder: sentence })
}
