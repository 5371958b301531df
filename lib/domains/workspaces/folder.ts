import { constants } from 'node:fs'
import { access, lchown, mkdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { ValidationError } from '@/lib/kernel/errors'
import { ownProgram } from '@/lib/kernel/own-program'
import { protectionOf } from '@/lib/kernel/protected-folders'
import { ownerOfNewFolders, toolsUser } from './tools-user'

export const needsLinux =
  'Workspaces need a server on Linux, where tools can be kept inside a folder. This server is not on Linux.'

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
  await refuseProtected(real)
  return real
}

/** Throws ValidationError when tools must not see a folder. `real`: where it leads. */
export async function refuseProtected(real: string): Promise<void> {
  const protection = await protectionOf(real, 'workspace')
  if (protection !== null) throw refused(protection)
}

/**
 * Makes a folder that is missing, in a folder that exists. As root, it is given to a user of its own, as whom programs run in it.
 * Throws ValidationError where tools must not see it, and when it cannot be made.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await stat(folder).catch(() => null)) return
  const place = await placeOfNew(folder)
  const owner = await ownerOfNewFolders().catch(() => {
    throw refused(
      `The server runs as root and could not make the user ${toolsUser}, whom the folder would belong to. Make the folder yourself and give it to a user of the server.`,
    )
  })
  try {
    await mkdir(place, { mode: 0o750 })
    if (owner) await lchown(place, owner.uid, owner.gid)
  } catch {
    throw refused('The server may not make a folder there. Make it yourself, or pick another path.')
  }
}

/** Returns where a folder that is missing would be, with every link resolved. */
async function placeOfNew(folder: string): Promise<string> {
  const { dir, base } = path.parse(path.resolve(folder))
  const above = await realpath(dir).catch(() => null)
  if (above === null || !(await stat(above)).isDirectory()) {
    throw refused('The folder above it does not exist on the server. Make that one first.')
  }
  const place = path.join(above, base)
  await refuseProtected(place)
  return place
}

/**
 * Returns a folder for a new workspace, and whether it is missing: beside the program of Toolgate, else in the home of the account
 * that it runs as. Null = the server can make none.
 */
export async function suggestFolder(
  name: string,
): Promise<{ folder: string; isMissing: boolean } | null> {
  if (process.platform !== 'linux') return null
  for (const above of [path.dirname(ownProgram()), homedir()]) {
    const folder = path.join(above, `toolgate-${name}`)
    if (await resolveFolder(folder).catch(() => null)) return { folder, isMissing: false }
    const place = above === '/' ? null : await placeOfNew(folder).catch(() => null)
    const mayMake = await access(above, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    )
    if (place !== null && mayMake) return { folder, isMissing: true }
  }
  return null
}

/** Returns why tools cannot use a folder now, as a sentence; null = they can. */
export async function folderProblem(realFolder: string): Promise<string | null> {
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

function refused(sentence: string): ValidationError {
  return new ValidationError({ folder: sentence })
}
