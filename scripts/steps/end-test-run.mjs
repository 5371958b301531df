import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { commandOf, processesWith } from './running-processes.mjs'

/** The variable that all processes of a test run have: the path of the run's folder. */
export const RUN = 'TOOLGATE_TEST_RUN'

/** The file in a run's folder that names the checkout whose PostgreSQL for tests the run uses. */
export const DATABASE_USE = 'database-use'

const TIDY = ['--conditions=react-server', '--import', 'tsx', 'tests/support/tidy-checkout.ts']
const PATIENCE_MS = 5_000
const PAUSE_MS = 50

/**
 * Ends what is left of a test run and removes its folder. Touches only processes that were started with the run's
 * variable, PostgreSQL servers whose data is in the folder, and what the run left in its checkout. Doing it twice, or by
 * two processes at once, is safe.
 */
export function endTestRun(folder) {
  // First, because they start a lost PostgreSQL again.
  endAll(() => processesOf(folder), 'SIGKILL')
  endAll(() => postmastersIn(folder), 'SIGQUIT')
  endAll(() => postmastersIn(folder), 'SIGKILL')
  const checkout = readText(path.join(folder, DATABASE_USE))
  // Only now: to other runs of the checkout, this one is gone.
  if (checkout !== '') spawnSync(process.execPath, TIDY, { cwd: checkout, timeout: 60_000 })
  for (const place of mountsIn(folder)) spawnSync('umount', [place])
  for (const removed of [...homesIn(folder), folder]) {
    rmSync(removed, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** Returns the ids of the processes of a run, and of the runs that its tests started: their folders are in its own. */
function processesOf(folder) {
  return processesWith(RUN, (value) => value === folder || value.startsWith(`${folder}/`))
}

/** Returns the ids of the PostgreSQL servers that run on data in this folder. */
function postmastersIn(folder) {
  const files = [folder, ...homesIn(folder)].flatMap((each) => filesIn(each, 'postmaster.pid'))
  return files.flatMap((file) => {
    const pid = Number(readText(file).split('\n')[0])
    const isIts = pid > 0 && `${commandOf(pid)} `.includes(` -D ${path.dirname(file)} `)
    return isIts ? [pid] : []
  })
}

/** Returns the folders of PostgreSQL that are elsewhere, because its user may not come to this one. */
function homesIn(folder) {
  const named = filesIn(folder, 'postgres-home').map((file) => readText(file).trim())
  return named.filter((home) => /^\/var\/lib\/toolgate\/[0-9a-f-]{36}$/.test(home))
}

function filesIn(folder, name) {
  return listFolder(folder).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(file, name)
    return entry.name === name ? [file] : []
  })
}

function listFolder(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function mountsIn(folder) {
  const places = readText('/proc/self/mounts')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
  return places.filter((place) => place.startsWith(`${folder}/`))
}

/** Sends the signal until none of them runs, or for some seconds. */
function endAll(find, signal) {
  for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; pause()) {
    const pids = find()
    if (pids.length === 0) return
    for (const pid of pids) send(pid, signal)
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function pause() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
}
