import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { commandOf, processesWith } from '@/scripts/steps/running-processes.mjs'
import type { OwnedRun } from '@/tests/support/owner-of-a-run'
import { stopped } from '@/tests/support/start-worker'

vi.setConfig({ testTimeout: 60_000 })

/** Folder of these runs, apart from that of this one. */
let place: string
const owners: ChildProcess[] = []
beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'runs-'))
  await chmod(place, 0o711)
  await mkdir(path.join(place, '.next/standalone'), { recursive: true })
  await writeFile(path.join(place, '.next/standalone/server.js'), builtServer)
})
afterAll(async () => {
  await Promise.all(owners.map(stopped))
  await rm(place, { recursive: true, force: true })
})

/** Stands in for the built server, which is not there when only this file runs. */
const builtServer = `require('node:http').createServer((_request, response) => {
  response.end(JSON.stringify({ status: 'ready', server: process.env.TOOLGATE_SERVER_NAME }))
}).listen(process.env.PORT)`

const ownEnv = () => {
  const { TOOLGATE_TEST_RUN: _mine, ...env } = process.env
  return { ...env, TMPDIR: place }
}

type StartedRun = OwnedRun & { owner: ChildProcess }

/** Starts a run with these processes. */
async function startRun(names: (keyof OwnedRun['pids'])[]): Promise<StartedRun> {
  const program = path.join(inject('programs'), 'owner-of-a-run.mjs')
  const endWithParent = pathToFileURL('scripts/steps/end-with-parent.mjs').href
  const args = ['--import', endWithParent, '--conditions=react-server', program, ...names]
  const owner = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: place,
    env: ownEnv(),
  })
  owners.push(owner)
  const [line] = await once(owner.stdout, 'data')
  return { ...JSON.parse(String(line)), owner }
}

/** Begins a run that has nothing, as the next one of this machine, and waits for its end. */
function beginNextRun(): void {
  const steps = path.resolve('scripts/steps/test-run.mjs')
  const code = `import { beginTestRun } from ${JSON.stringify(steps)}; beginTestRun()`
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    stdio: 'inherit',
    env: ownEnv(),
  })
  expect(status).toBe(0)
}

/** Kills the process that would end the rest of the run, as when a machine ends all processes at once. */
async function killWatch({ folder }: OwnedRun): Promise<void> {
  const isWatch = (pid: number) => commandOf(pid).includes(`watch-test-run.mjs ${folder}`)
  const [watch] = processesWith('TMPDIR', (value) => value === place).filter(isWatch)
  process.kill(Number(watch), 'SIGKILL')
  await expect.poll(() => isWatch(Number(watch))).toBe(false)
}

/** Returns the names of what still runs. */
function runningOf({ pids }: OwnedRun): string[] {
  return Object.entries(pids).flatMap(([name, pid]) => (commandOf(pid) === '' ? [] : [name]))
}

test.skipIf(!existsSync('/proc'))('nothing outlives a run that was killed', async () => {
  const [alone, watched] = await Promise.all([
    startRun(['postgres', 'server', 'engine', 'sleeper']),
    startRun(['server', 'engine', 'sleeper']),
  ])
  await killWatch(alone)
  expect(runningOf(alone)).toEqual(['postgres', 'server', 'engine', 'sleeper'])
  await stopped(alone.owner)
  // The others end with their parent.
  await expect.poll(() => runningOf(alone)).toEqual(['postgres', 'sleeper'])
  expect(existsSync(alone.folder)).toBe(true)
  beginNextRun()
  expect(runningOf(alone)).toEqual([])
  expect(existsSync(alone.folder)).toBe(false)
  // A run beside it goes on.
  expect(runningOf(watched)).toEqual(['server', 'engine', 'sleeper'])
  expect(existsSync(watched.folder)).toBe(true)

  await stopped(watched.owner)
  await expect.poll(() => runningOf(watched)).toEqual([])
  const folders = async () => (await readdir(place)).filter((name) => name.startsWith('toolgate-'))
  await expect.poll(folders).toEqual([])
})
