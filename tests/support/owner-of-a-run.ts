import { spawn } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort, startEmbeddedPostgres } from '@/lib/installation/embedded-postgres'
import { beginTestRun } from '@/scripts/steps/test-run.mjs'
import { startStandaloneServer } from './standalone-server'

const starts = {
  postgres: startPostgres,
  server: startServer,
  engine: startEngineProcess,
  /** Would notice nothing. */
  sleeper: async () => spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).pid,
}

/** The folder of a test run, and the ids of what its owner started. */
export type OwnedRun = { folder: string; pids: Partial<Record<keyof typeof starts, number>> }

/**
 * Owns a test run with the processes that its arguments name, for a test that kills it. Prints the run once all of them
 * are there.
 */
async function main(): Promise<void> {
  beginTestRun()
  const names = process.argv.slice(2) as (keyof typeof starts)[]
  const started = names.map(async (name) => [name, await starts[name]()] as const)
  const pids = Object.fromEntries(await Promise.all(started))
  console.log(JSON.stringify({ folder: process.env.TOOLGATE_TEST_RUN, pids }))
}

async function startPostgres(): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postgres-'))
  await startEmbeddedPostgres(folder)
  const text = await readFile(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

async function startServer(): Promise<number | undefined> {
  const server = await startStandaloneServer(await freePort(0), {})
  return server.process.pid
}

async function startEngineProcess(): Promise<number | undefined> {
  const script = path.join(import.meta.dirname, 'engine-process.mjs')
  const child = spawn(process.execPath, ['--conditions=react-server', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes('READY')) break
  }
  child.stdout.resume()
  return child.pid
}

await main()
