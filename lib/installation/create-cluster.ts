import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Place } from './place-cluster'
import { runBinary } from './run-binary'

/**
 * Makes the folder of a new PostgreSQL. It appears under its name only when complete, so neither a crash nor a second
 * process at the same time leaves half a cluster.
 */
export async function createCluster(
  place: Place,
  folder: string,
  owner: { user: string; password: string },
): Promise<void> {
  const draft = `${folder}.${randomUUID()}`
  const passwordFile = `${draft}.password`
  await mkdir(draft, { mode: 0o700 })
  await writeFile(passwordFile, `${owner.password}\n`, { mode: 0o600 })
  if (place.identity) {
    const { uid, gid } = place.identity
    await Promise.all([draft, passwordFile].map((file) => chown(file, uid, gid)))
  }
  const args = [
    `--pgdata=${draft}`,
    `--username=${owner.user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  try {
    await runBinary(path.join(place.binaries, 'initdb'), args, place.identity)
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(passwordFile, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}
