import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Owner } from '@/lib/engines/programs/command-sandbox'

/** The user of the system that folders belong to which a server makes as root. */
export const toolsUser = 'toolgate-tools'

const run = promisify(execFile)

/**
 * Returns whom a new folder is given to: as root, a user of its own that has no other files, made if it is missing; otherwise
 * nobody, null. Rejects when the system makes no such user.
 */
export async function ownerOfNewFolders(): Promise<Owner | null> {
  if (process.getuid?.() !== 0) return null
  const found = await lookUp()
  if (found) return found
  const shell = ['--shell', '/usr/sbin/nologin']
  const made = run('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    ...shell,
    toolsUser,
  ]).catch((error: unknown) => error)
  const failure = await made
  // Another process may have made it in this moment.
  const owner = await lookUp()
  if (owner === null) throw failure
  return owner
}

async function lookUp(): Promise<Owner | null> {
  try {
    const ids = ['-u', '-g'].map(async (what) =>
      Number((await run('id', [what, toolsUser])).stdout),
    )
    const [uid = 0, gid = 0] = await Promise.all(ids)
    return { uid, gid }
  } catch {
    return null
  }
}
