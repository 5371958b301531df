import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const script = '.next/standalone/server.js'
const startLimitMs = 75_000

export type StandaloneServer = {
  baseUrl: string
  process: ChildProcess
  /** Ends it and waits until it is gone. */
  stop: (signal?: NodeJS.Signals) => Promise<void>
}

/**
 * Starts the built server on a port of this machine, as in production. Resolves when it can take work. Its log is a
 * file.
 */
export async function startStandaloneServer(
  port: number,
  env: Record<string, string>,
): Promise<StandaloneServer> {
  if (!existsSync(script)) throw new Error('Nothing is built yet: run npm run build first.')
  const baseUrl = `http://localhost:${port}`
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      NEXT_MANUAL_SIG_HANDLE: 'true',
      TOOLGATE_URL: baseUrl,
      HOSTNAME: '127.0.0.1',
      PORT: String(port),
    },
  })
  const logFile = path.resolve('.data/e2e', `server-${port}.log`)
  await mkdir(path.dirname(logFile), { recursive: true })
  const log = createWriteStream(logFile)
  for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false })
  await whenReady(baseUrl, child, logFile)
  return { baseUrl, process: child, stop: (signal = 'SIGTERM') => stop(child, signal) }
}

async function whenReady(baseUrl: string, child: ChildProcess, logFile: string): Promise<void> {
  const deadline = Date.now() + startLimitMs
  while (child.exitCode === null && Date.now() < deadline) {
    const response = await fetch(`${baseUrl}/api/ready`).catch(() => null)
    if (response?.ok) return
    await sleep(50)
  }
  child.kill('SIGKILL')
  const ended = child.exitCode === null ? 'took too long' : `ended with code ${child.exitCode}`
  const said = (await readFile(logFile, 'utf8')).slice(-4000)
  throw new Error(`The server did not start on ${baseUrl}: it ${ended}. It said:\n${said}`)
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
