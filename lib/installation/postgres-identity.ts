import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { InstallationError } from './installation-error'
import type { Identity } from './run-binary'

const run = promisify(execFile)
const NAME = 'postgres'

/**
 * PostgreSQL refuses to run as root: then it runs as whom the cluster in `folder` belongs to, a new one as the system
 * user `postgres`, made if missing.
 */
export async function postgresIdentity(folder: string): Promise<Identity> {
  if (process.getuid?.() !== 0) return null
  return (await ownerOf(folder)) ?? (await lookUp()) ?? (await create())
}

async function ownerOf(folder: string): Promise<Identity> {
  const found = await stat(folder).catch(() => null)
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null
}

async function lookUp(): Promise<Identity> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', NAME]), run('id', ['-g', NAME])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return null
  }
}

async function create(): Promise<Identity> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', NAME])
    return await lookUp()
  } catch (cause) {
    throw new InstallationError(
      'PostgreSQL does not run as root and no user "postgres" could be created: start Toolgate as another user, or set DATABASE_URL.',
      { cause },
    )
  }
}
