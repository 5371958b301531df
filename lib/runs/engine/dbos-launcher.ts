import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { Client, Pool } from 'pg'
import { advisoryLocks } from '@/lib/kernel/locks'
import { log } from '@/lib/kernel/log'
import type { Launcher } from './engine'

/** Stays the same while the workflow's shape does: DBOS resumes only workflows of its own version. */
const workflowVersion = 'toolgate-1'
const connections = 10
const askEveryMs = 100

// DBOS has one executor and one registry per process. It is launched with the first engine and stays; engines that are
// opened one after the other share it.
let work: Parameters<Launcher['open']>[0] | undefined
let launchedFor: string | undefined
let workflow: typeof workOnRun | undefined

/** Runs the work on runs with DBOS: each run is a durable workflow. */
export const dbosLauncher: Launcher = {
  open: async (given, { instanceId, database }) => {
    work = given
    if (DBOS.isInitialized()) {
      if (launchedFor === database.url) return
      throw new Error('DBOS works on another database in this process.')
    }
    workflow ??= DBOS.registerWorkflow(workOnRun, { name: 'workOnRun' })
    DBOS.setConfig({
      name: 'toolgate',
      systemDatabaseUrl: database.url,
      systemDatabasePool: openPool(database.url),
      applicationVersion: workflowVersion,
      executorID: instanceId,
      logger,
    })
    await launch(database.url)
    launchedFor = database.url
  },
  claim: async (runId) => {
    if (!workflow) throw new Error('open() comes first.')
    const known = await DBOS.getWorkflowStatus(runId)
    if (known) await DBOS.resumeWorkflow(runId)
    else await DBOS.startWorkflow(workflow, { workflowID: runId })(runId)
  },
  schedule: (everyMs, scheduled) => {
    const timer = setInterval(scheduled, everyMs)
    return () => clearInterval(timer)
  },
}

/**
 * Runs the durable workflow of a run: one recorded step that advances until the run ends. Only the journal says what
 * comes next, so a step that is repeated after a crash continues after the last event. Recording each advance would
 * repeat that at several statements each.
 */
async function workOnRun(runId: string): Promise<void> {
  await DBOS.runStep(
    async () => {
      if (!work) throw new Error('open() comes first.')
      if ((await work(runId)) === 'ended') return
      // Another process owns the run or will, or another loop works on it here. A result would be recorded and replayed.
      await new Promise<never>(() => undefined)
    },
    { name: 'advance-to-end' },
  )
}

/**
 * Launches DBOS in one process at a time, because it migrates its own tables first and two concurrent migrations of a
 * new database deadlock. The lock is polled, because a waiting statement would block the index that the other process
 * builds.
 */
async function launch(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    while (!(await isFree(client))) await wait(askEveryMs)
    await DBOS.launch()
  } finally {
    await client.end()
  }
}

async function isFree(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS free',
    [advisoryLocks.launch],
  )
  return rows[0]?.free === true
}

/** Returns the pool for DBOS. DBOS's own pool configures its connections in a way that pg warns about. */
function openPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: connections })
  pool.on('error', (error) =>
    log.warn({ source: 'engine', error: String(error) }, 'A workflow connection broke'),
  )
  return pool
}

/** Writes DBOS's log entries to the application's log. */
const logger = {
  info: (entry: unknown) => log.debug({ source: 'dbos' }, text(entry)),
  debug: (entry: unknown) => log.debug({ source: 'dbos' }, text(entry)),
  warn: (entry: unknown) => log.warn({ source: 'dbos' }, text(entry)),
  error: (entry: unknown) => log.error({ source: 'dbos' }, text(entry)),
}

function text(entry: unknown): string {
  return entry instanceof Error ? (entry.stack ?? entry.message) : String(entry)
}
