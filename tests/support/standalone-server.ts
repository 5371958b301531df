import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { INSTALLATION_ROOT } from '@/lib/installation/data-folder'

const script = '.next/standalone/server.js'
const startLimitMs = 150_000
const endWithParent = path.join(INSTALLATION_ROOT, 'scripts/steps/end-with-parent.mjs')

export type StandaloneServer = {
  baseUrl: string
  process: ChildProcess
  /** Ends it and waits until it is gone. */
  stop: (signal?: NodeJS.Signals) => Promise<void>
}

/**
 * Starts the built server on a port of this machine, as in production. Resolves when it can take work, and never takes
 * another server on this port for it. Its log is a file.
 */
export async function startStandaloneServer(
  port: number,
  env: Record<string, string>,
): Promise<StandaloneServer> {
  if (!existsSync(script)) throw new Error('Nothing is built yet: run npm run build first.')
  const baseUrl = `http://localhost:${port}`
  const name = randomUUID()
  const child = spawn(process.execPath, ['--import', pathToFileURL(endWithParent).href, script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      NEXT_MANUAL_SIG_HANDLE: 'true',
      TOOLGATE_URL: baseUrl,
      TOOLGATE_SERVER_NAME: name,
      HOSTNAME: '127.0.0.1',
      PORT: String(port),
    },
  })
  const logFile = path.resolve('.data/e2e', `server-${port}.log`)
  await mkdir(path.dirname(logFile), { recursive: true })
  const log = createWriteStream(logFile)
  for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false })
  await whenReady({ baseUrl, name }, child, logFile)
  return { baseUrl, process: child, stop: (signal = 'SIGTERM') => stop(child, signal) }
}

async function whenReady(
  { baseUrl, name }: { baseUrl: string; name: string },
  child: ChildProcess,
  logFile: string,
): Promise<void> {
  const deadline = Date.now() + startLimitMs
  while (isRunning(child) && Date.now() < deadline) {
    if ((await readyServer(baseUrl)) === name) return
    await sleep(50)
  }
  const ended = isRunning(child)
    ? 'took too long'
    : `ended with ${child.signalCode ?? `code ${child.exitCode}`}`
  child.kill('SIGKILL')
  const said = (await readFile(logFile, 'utf8')).slice(-4000)
  throw new Error(`The server did not start on ${baseUrl}: it ${ended}. It said:\n${said}`)
}

/** Returns the name of the server that answers there, when it can take work. */
async function readyServer(baseUrl: string): Promise<unknown> {
  try {
    const response = await fetch(`${baseUrl}/api/ready`, { signal: AbortSignal.timeout(5_000) })
    return response.ok ? (await response.json()).server : undefined
  } catch {
    return undefined
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
