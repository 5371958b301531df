import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { advisoryLocks } from '@/lib/kernel/locks'
import {
  CLUSTER,
  type ClusterLocation,
  clusterHome,
  createCluster,
  placeCluster,
  runBinary,
} from './cluster'
import { keepFile } from './data-folder'
import { InstallationError } from './installation-error'

const USER = 'toolgate'
const START_DEADLINE_MS = 60_000
const STOP_DEADLINE_MS = 60_000
const RESTART_PAUSE_MS = 2_000
const WRONG_PASSWORD = '28P01'

export type EmbeddedPostgres = {
  urlOf: (database: string) => string
  /** Stops the server unless another process still uses it. */
  release: () => Promise<void>
}

type Cluster = ClusterLocation & {
  folder: string
  password: string
  settings: Record<string, string>
}
type Connection = { port: number; lease: DatabaseLease }

/**
 * Starts our own PostgreSQL in `dataFolder`, on loopback with a random password. It is created on first use, started if
 * it is down, used as it is if it still runs (it outlives a killed process), and started again if it dies while we use
 * it. `settings` are server settings (`fsync: 'off'`). Throws InstallationError, or PostgreSQL's error.
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const passwordFile = path.join(dataFolder, 'database-password')
  await requirePassword(dataFolder, passwordFile)
  const place = await placeCluster(dataFolder)
  const password = await keepFile(passwordFile, () => randomBytes(24).toString('base64url'))
  const folder = path.join(place.home, CLUSTER)
  const cluster: Cluster = { ...place, folder, password, settings }
  if (!existsSync(folder)) await createCluster(place, folder, { user: USER, password })
  let connection = await connectOrStart(cluster)
  let isReleased = false
  /** Settles when nothing is being started again. */
  let restart = Promise.resolve()
  const startAgain = async (): Promise<void> => {
    while (!isReleased) {
      try {
        connection = await connectOrStart(cluster)
        return startAgainWhenLost()
      } catch (error) {
        // A full disk, or what an ended server still holds, passes.
        console.error(`The built-in PostgreSQL stopped; trying again to start it: ${error}`)
        await sleep(RESTART_PAUSE_MS)
      }
    }
  }
  const startAgainWhenLost = (): void => {
    void connection.lease.lost.then(() => {
      restart = startAgain()
    })
  }
  startAgainWhenLost()
  return {
    urlOf: (database) => urlOf(cluster, connection.port, database),
    async release() {
      isReleased = true
      await restart
      await connection.lease.giveBack(() => stopServer(cluster))
    },
  }
}

/** Throws InstallationError where there is a cluster whose password is gone: a new one would fit nothing. */
async function requirePassword(dataFolder: string, file: string): Promise<void> {
  const home = await clusterHome(dataFolder)
  const cluster = path.join(home ?? dataFolder, CLUSTER)
  if (existsSync(file) || !existsSync(cluster)) return
  throw new InstallationError(
    `The database in ${cluster} is there, and the file with its password is missing: put back ${file} from where you copied the folder. Nothing was changed.`,
  )
}

/**
 * Connects to the server or starts it. Either may fail when another process starts or stops the same server, so the
 * caller tries again.
 */
async function connectOrStart(cluster: Cluster): Promise<Connection> {
  const deadline = Date.now() + START_DEADLINE_MS
  let isStarted = false
  for (;;) {
    const port = await livePort(cluster.folder)
    try {
      if (port) return { port, lease: await leaseDatabase(urlOf(cluster, port, 'postgres')) }
      await startServer(cluster)
      isStarted = true
    } catch (error) {
      const isRefused = port !== undefined && isWrongPassword(error)
      const isLast = Date.now() > deadline || isRefused
      if (isLast || (!port && !(await livePort(cluster.folder)))) {
        if (isStarted) await stopServer(cluster)
        throw isRefused ? wrongPassword(cluster, error) : error
      }
      await sleep(100)
    }
  }
}

function wrongPassword({ folder }: Cluster, cause: unknown): InstallationError {
  return new InstallationError(
    `The database in ${folder} refuses the password in the file database-password: put back the file that belongs to it.`,
    { cause },
  )
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === WRONG_PASSWORD
}

/** Returns the port of the server that runs on `folder`. */
async function livePort(folder: string): Promise<number | undefined> {
  const { pid, port } = await runningServer(folder)
  if (!pid || !isAlive(pid)) return undefined
  if (await isPostgres(pid)) return port
  // After a power cut or in a restarted container the pid may belong to another program by now, and PostgreSQL
  // would refuse to start because of the note. A note that changed meanwhile is of a server that just started.
  if ((await runningServer(folder)).pid === pid) await rm(pidFile(folder), { force: true })
  return undefined
}

/** Returns what PostgreSQL notes of the server that runs on `folder`: line 1 is the pid, line 4 the port. */
async function runningServer(folder: string): Promise<{ pid?: number; port?: number }> {
  const lines = (await readFile(pidFile(folder), 'utf8').catch(() => '')).split('\n')
  return { pid: Number(lines[0]) || undefined, port: Number(lines[3]) || undefined }
}

function pidFile(folder: string): string {
  return path.join(folder, 'postmaster.pid')
}

async function startServer(cluster: Cluster): Promise<void> {
  const { folder, identity } = cluster
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    log_checkpoints: 'off',
    log_min_messages: 'fatal',
    log_min_error_statement: 'panic',
    ...cluster.settings,
  }
  const port = await freePort(await rememberedPort(folder))
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)
  const log = path.join(folder, 'server.log')
  await writeFile(log, '')
  if (identity) await chown(log, identity.uid, identity.gid)
  const args = ['start', '-w', '-D', folder, '-l', log, '-o', [`-p ${port}`, ...flags].join(' ')]
  try {
    await runBinary(path.join(cluster.binaries, 'pg_ctl'), args, identity)
  } catch (cause) {
    const reason = /(?:FATAL|PANIC):\s*(.+)/.exec(await readFile(log, 'utf8'))?.[1] ?? 'see its log'
    throw new InstallationError(`The built-in PostgreSQL did not start (${reason}; log: ${log}).`, {
      cause,
    })
  }
}

async function rememberedPort(folder: string): Promise<number> {
  const options = await readFile(path.join(folder, 'postmaster.opts'), 'utf8').catch(() => '')
  return Number(/"-p" "(\d+)"/.exec(options)?.[1] ?? 0)
}

/**
 * Stops the server and returns when it has ended. pg_ctl would wait for whatever server runs on the folder, also for one
 * that another process starts as soon as this one is gone, so it only sends the signal.
 */
async function stopServer({ folder, binaries, identity }: Cluster): Promise<void> {
  const { pid } = await runningServer(folder)
  await runBinary(
    path.join(binaries, 'pg_ctl'),
    ['stop', '-W', '-m', 'fast', '-D', folder],
    identity,
  )
  const deadline = Date.now() + STOP_DEADLINE_MS
  while (pid && (await isPostgres(pid)) && (await runningServer(folder)).pid === pid) {
    if (Date.now() > deadline) throw new InstallationError('The built-in PostgreSQL does not stop.')
    await sleep(20)
  }
}

function urlOf(cluster: Cluster, port: number, database: string): string {
  return `postgresql://${USER}:${cluster.password}@127.0.0.1:${port}/${database}`
}

const run = promisify(execFile)

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function isPostgres(pid: number): Promise<boolean> {
  return (await commandOf(pid)).includes('postgres')
}

/** Returns the command line of a process, words separated by spaces; empty when it has ended or cannot be read. */
async function commandOf(pid: number): Promise<string> {
  if (existsSync('/proc/self/cmdline')) {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return words.replaceAll('\0', ' ')
  }
  const listed = await run('ps', ['-ww', '-p', String(pid), '-o', 'command=']).catch(() => null)
  return listed?.stdout ?? ''
}

/** Returns `wanted` if nobody listens there on loopback, else any free port. 0 = any port. */
export function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort(0))))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : wanted))
    })
  })
}

/** One process's lease of the built-in PostgreSQL, which runs while any process has one. */
type DatabaseLease = {
  /** Resolves when the server ended while we used it; never after `giveBack`. */
  lost: Promise<void>
  /** Ends the lease unless it was lost. Calls `stop` when no other process has one, and lets none begin until that is done. */
  giveBack: (stop: () => Promise<void>) => Promise<void>
}

/** Throws pg's error when the server does not take the connection. */
async function leaseDatabase(url: string): Promise<DatabaseLease> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  let isGiven = false
  let hasEnded = false
  client.on('error', () => {
    hasEnded = true
  })
  const lost = new Promise<void>((resolve) => {
    client.on('end', () => {
      hasEnded = true
      if (!isGiven) resolve()
    })
  })
  try {
    await client.connect()
    await client.query('SELECT pg_advisory_lock_shared($1)', [advisoryLocks.database])
  } catch (error) {
    // Its server may be one that does not hang up, and nobody waits for that.
    void client.end().catch(() => undefined)
    throw error
  }
  return {
    lost,
    async giveBack(stop) {
      isGiven = true
      try {
        if (hasEnded) return
        await client.query('SELECT pg_advisory_unlock_shared($1)', [advisoryLocks.database])
        const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS alone', [
          advisoryLocks.database,
        ])
        if (rows[0]?.alone === true) await stop()
      } catch (error) {
        // A server that ended by itself needs no stop. `stop` ends our connection, so its own error is no sign of that.
        if (!(hasEnded || saysItEnds(error)) || error instanceof InstallationError) throw error
      } finally {
        await client.end()
      }
    },
  }
}

/** Returns whether the server's answer was that it ends (operator intervention, class 57P of its codes). */
function saysItEnds(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('57P') === true
}
