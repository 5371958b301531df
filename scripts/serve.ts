import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { INSTALLATION_ROOT } from '@/lib/installation/data-folder'
import { startEmbeddedPostgres } from '@/lib/installation/embedded-postgres'
import { explainFailure } from '@/lib/installation/installation-error'
import { compileChange } from './steps/build.mjs'
import { IMPORTERS, SERVER_FOLDER } from './steps/compile-server.mjs'
import { noteServer } from './steps/running-servers.mjs'
import { runSteps, StepError } from './steps/step.mjs'
import { whenParentEnds } from './steps/when-parent-ends.mjs'
import { watchServer } from './watch-server'

type Mode = 'start' | 'dev'

/** The result of the preparation, which `scripts/prepare.ts` sends. */
export type Prepared = {
  /** Variables for the server. */
  env: Record<string, string>
  /** The database is the built-in one. */
  ownsDatabase: boolean
  /** One-time token for the set-up page; null when there is an admin. */
  setupToken: string | null
  /** Limit of the server's heap; null = that of NODE_OPTIONS. */
  heapMb: number | null
}

const DRAIN_LIMIT_MS = 30_000
const WHEN_PARENT_DIES = 'process.on("disconnect", () => process.exit(1))'

const host = process.env.HOST || '127.0.0.1'
const port = process.env.PORT || '3000'
const isAnyOrLocal = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)
const address = `http://${isAnyOrLocal ? 'localhost' : host}:${port}`

const stop = new AbortController()

/**
 * Prepares the installation, serves it until told to stop, and ends this process, which stays small: it imports neither the
 * database client nor the schemas. A killed process leaves PostgreSQL to the next start, and no server.
 */
export async function serve(mode: Mode): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
  whenParentEnds(() => stop.abort())
  await runSteps(() => prepareAndServe(mode), explainFailure)
  process.exit()
}

async function prepareAndServe(mode: Mode): Promise<void> {
  process.env.TOOLGATE_URL ||= address
  const preparation = fork(path.join(INSTALLATION_ROOT, SERVER_FOLDER, 'prepare.js'))
  const ended = once(preparation, 'exit')
  const { env, ownsDatabase, setupToken, heapMb } = await resultOf(preparation)
  Object.assign(process.env, env)
  const start = () => startServer(mode, heapMb)
  const database = ownsDatabase ? await startEmbeddedPostgres(String(env.TOOLGATE_DATA_DIR)) : null
  try {
    if (preparation.connected) preparation.disconnect()
    await ended
    if (!stop.signal.aborted) await serveUntilStopped(mode, start, setupToken)
  } finally {
    await database?.release()
  }
}

/** Waits for the preparation. A failed one has said why, and this process ends with its exit code. */
async function resultOf(preparation: ChildProcess): Promise<Prepared> {
  const settled = new AbortController()
  const failed = once(preparation, 'exit', settled).then(([code, signal]) => {
    if (signal === null) process.exit(code)
    // Ctrl+C in a terminal ends it, too, as long as it only loads its modules.
    if (stop.signal.aborted) process.exit()
    throw new StepError(`The preparation was ended (${signal}): start it again.`)
  })
  try {
    const sent = once(preparation, 'message', settled).then(([prepared]): Prepared => prepared)
    return await Promise.race([sent, failed])
  } finally {
    settled.abort()
  }
}

async function serveUntilStopped(
  mode: Mode,
  start: () => ChildProcess,
  setupToken: string | null,
): Promise<void> {
  const current = { server: start(), restarts: false }
  stop.signal.addEventListener('abort', () => {
    console.log('\n  Stopping: runs in flight are handed over.')
    end(current.server)
  })
  if (mode === 'dev') {
    // Live reload is for pages and components. The server keeps the modules of lib/ that it loaded.
    const folders = IMPORTERS.concat('lib').map((name) => path.join(INSTALLATION_ROOT, name))
    watchServer(folders, stop.signal, compileChange, () => {
      if (current.restarts) return
      console.log('\n  The server code changed: starting again.')
      current.restarts = true
      end(current.server)
    })
  }
  for (let first = true; ; first = false) {
    const ended = once(current.server, 'exit')
    if (await isReady(current.server)) announce(first ? setupToken : null)
    const [code, signal] = await ended
    if (stop.signal.aborted) return
    if (!current.restarts) {
      const advice =
        signal === 'SIGABRT' ? ' If its memory was full, set TOOLGATE_MEMORY_MB to more.' : ''
      throw new StepError(
        `The server ended by itself (${signal ?? `exit code ${code}`}): start it again.${advice}`,
      )
    }
    current.restarts = false
    current.server = start()
  }
}

function end(server: ChildProcess): void {
  server.kill('SIGTERM')
  const limit = setTimeout(() => server.kill('SIGKILL'), DRAIN_LIMIT_MS)
  server.once('exit', () => clearTimeout(limit))
}

function announce(setupToken: string | null): void {
  console.log(`\n  Toolgate is ready on ${process.env.TOOLGATE_URL}`)
  if (setupToken) console.log(`  Create the first admin: ${setupLink(setupToken)}`)
  console.log('  Stop it with Ctrl+C.\n')
}

function setupLink(token: string): string {
  return `${process.env.TOOLGATE_URL}/setup?token=${token}`
}

/** Returns options with which Node follows no link. It would follow some to the compiled package and some not (scripts/steps/build.mjs). */
function developmentOptions(): string {
  return `${process.env.NODE_OPTIONS ?? ''} --preserve-symlinks`.trim()
}

/** Returns options of V8. Young objects have their full room at once, because a start makes so many that it would be tidied often. */
function memoryOptions(heapMb: number | null): string[] {
  const limit = heapMb === null ? [] : [`--max-old-space-size=${heapMb}`]
  return [...limit, '--min-semi-space-size=16']
}

function startServer(mode: Mode, heapMb: number | null): ChildProcess {
  const [script, args] =
    mode === 'dev'
      ? ['node_modules/next/dist/bin/next', ['dev', '--port', port, '--hostname', host]]
      : ['.next/standalone/server.js', []]
  const server = fork(path.join(INSTALLATION_ROOT, script), args, {
    cwd: INSTALLATION_ROOT,
    execArgv: [
      '--import',
      `data:text/javascript,${encodeURIComponent(WHEN_PARENT_DIES)}`,
      // Compilation of pages in development needs more, and the framework sets its own limit there.
      ...(mode === 'start' ? memoryOptions(heapMb) : []),
    ],
    // In a process group of its own, so that Ctrl+C reaches only this process, which stops the server in order.
    detached: true,
    env: {
      ...process.env,
      NODE_ENV: mode === 'dev' ? 'development' : 'production',
      ...(mode === 'dev' && { NODE_OPTIONS: developmentOptions() }),
      NEXT_TELEMETRY_DISABLED: '1',
      // lib/runs/engine/boot.ts handles the signal and hands over the runs first. Next would end the process before that.
      NEXT_MANUAL_SIG_HANDLE: 'true',
      HOSTNAME: host,
      PORT: port,
    },
  })
  if (mode === 'start') server.once('exit', noteServer(server.pid))
  return server
}

/** Waits until the server answers; false when it ended before that. */
async function isReady(server: ChildProcess): Promise<boolean> {
  const target = isAnyOrLocal ? `http://127.0.0.1:${port}` : address
  while (server.exitCode === null && server.signalCode === null) {
    const response = await fetch(`${target}/api/health`).catch(() => null)
    if (response?.ok) return true
    await sleep(100)
  }
  return false
}
