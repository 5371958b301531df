import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { commandLineOf } from '@/lib/words/command-line'
import { type Owner, sandboxProblem } from './command-sandbox'

/** Returns as whom programs run in a folder of this owner; null = as the user that this server runs as, which is not root. */
export function programUser({ uid, gid }: Owner): Owner | null {
  return process.getuid?.() === 0 ? { uid, gid } : null
}

/** Returns why no program can be run in a folder of this owner, as a sentence; null = it can. `folder`: as the reader knows it. */
export function ownerProblem({ uid, gid }: Owner, folder = 'FOLDER'): string | null {
  if (process.getuid?.() !== 0) return null
  const mend = `Give it to another user of the server: chown -R USER: ${folder}`
  if (uid === 0 || gid === 0)
    return `No program can be run here: this server runs as root, programs run as the owner of the folder, and this one belongs to root or its group. ${mend}`
  if (uid === postgresUser())
    return `No program can be run here: the folder belongs to the user that PostgreSQL runs as, and what a program leaves would, too. ${mend}`
  return null
}

/**
 * Returns why no program can be kept in a sandbox in a folder, for those who may know where it is: as a sentence with the command
 * that mends it. Null = nothing is wrong with its owner, or this server has no sandbox at all.
 */
export async function folderOwnerProblem(folder: string): Promise<string | null> {
  if ((await sandboxProblem()) !== null) return null
  const found = await stat(folder).catch(() => null)
  return found && ownerProblem(found, commandLineOf([folder]))
}

/** Returns the number of the user `postgres`, whose files are those of the database; null = there is none. */
function postgresUser(): number | null {
  try {
    const line = /^postgres:[^:]*:(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
    return line ? Number(line[1]) : null
  } catch {
    return null
  }
}
