import { spawn } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { endTestRun, RUN } from './end-test-run.mjs'
import { startTimeOf } from './running-processes.mjs'

// From the checkout, because what tests start is compiled into another folder, as deep as this one.
const WATCH = path.join(import.meta.dirname, '../../scripts/steps/watch-test-run.mjs')

/**
 * Makes this process the owner of a test run, unless it is part of one. From now on, what it starts keeps temporary
 * files in the run's folder, which has the name of its owner, and ends with this process, however that ends. Before, ends
 * what is left of runs whose owners are gone.
 */
export function beginTestRun() {
  if (process.env[RUN]) return
  const place = placeOfRuns()
  endAbandonedRuns(place)
  const folder = path.join(place, `toolgate-run-${process.pid}-${startTimeOf(process.pid)}`)
  mkdirSync(folder)
  // Passable: as root, PostgreSQL runs as another user.
  chmodSync(folder, 0o711)
  startWatch(folder)
  for (const name of [RUN, 'TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder
}

/** Returns where runs have their folders. The usual place on macOS is too long for the path of a socket. */
function placeOfRuns() {
  return process.platform === 'darwin' ? '/tmp' : tmpdir()
}

/** Ends the runs of this user whose owners are gone, also where another process has their number by now. */
function endAbandonedRuns(place) {
  for (const name of readdirSync(place)) {
    const [, pid, started] = /^toolgate-run-(\d+)-(\d+)$/.exec(name) ?? []
    if (pid === undefined || startTimeOf(Number(pid)) === started) continue
    const folder = path.join(place, name)
    const found = lstatSync(folder, { throwIfNoEntry: false })
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue
    try {
      endTestRun(folder)
    } catch (error) {
      // A folder that cannot be removed does not stop a later run.
      console.warn(`What is left of a test run stays in ${folder}: ${error.message}`)
    }
  }
}

/** Starts the process that ends the rest of the run after its owner. Whoever ends the owner's process group spares it. */
function startWatch(folder) {
  const watch = spawn(process.execPath, [WATCH, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.unref()
  watch.stdin.unref()
}
