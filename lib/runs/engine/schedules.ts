import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { Client, Pool } from 'pg'
import { backUpOnSchedule } from '@/lib/domains/backups/scheduled-backup'
import { pruneLedger } from '@/lib/domains/budgets/prune-ledger'
import { lastTime } from '@/lib/domains/schedules/shared/cron'
import { showFreeze } from '@/lib/domains/settings/read-freeze'
import { pruneAssets } from '@/lib/domains/storages/prune-assets'
import { rollUpUsage } from '@/lib/domains/usage/usage-rows'
import { pruneFileVersions } from '@/lib/domains/workspaces/file-versions'
import type { Schedule } from '@/lib/generated/prisma/client'
import type { Database } from '@/lib/kernel/db'
import { advisoryLocks } from '@/lib/kernel/locks'
import { log } from '@/lib/kernel/log'
import { pruneTrials } from '@/lib/runs/replay/kept-trials'
import { startMovedRuns, startScheduledRun } from '@/lib/runs/start/scheduled-runs'
import { sweepFiles } from '../files/upload-file'
import { channels } from '../journal/notifications'
import { startWorkflow } from '../places'
import { coalesced } from './coalesced'
import { setInternalPollInterval, setPollInterval, workflowIdOf } from './dbos-internals'
import type { Engine } from './engine'
import { removeOldEntries } from './run-queue'

/** Stays the same while the workflows do: DBOS resumes only workflows of its own version. */
export const workflowVersion = 'toolgate-2'
const connections = 4
const askEveryMs = 100

/** For so long, a schedule that fired is remembered, so that no other process fires it for the same time. */
const remembersHours = 24

// DBOS has one executor and one registry per process. It is launched with the first engine and stays; engines that are
// opened one after the other share it.
let site: Database | undefined
let begin: Engine['work']['begin'] | undefined
let workflows: ReturnType<typeof register> | undefined

/** Starts what happens at set times, once for all servers of a database: DBOS fires it. */
export async function openSchedules(engine: Engine): Promise<void> {
  const { database, instanceId, notifications } = engine
  const launchedFor = site?.url
  site = database
  begin = (runId) => engine.work.begin(runId)
  if (DBOS.isInitialized()) {
    if (launchedFor !== database.url)
      throw new Error('DBOS works on another database in this process.')
  } else {
    workflows ??= register()
    DBOS.setConfig({
      name: 'toolgate',
      systemDatabaseUrl: database.url,
      systemDatabasePool: openPool(database.url),
      applicationVersion: workflowVersion,
      executorID: instanceId,
      schedulerPollingIntervalMs: pollMs,
      logger,
    })
    setPollInterval(pollMs)
    await launch(database.url)
    setInternalPollInterval(pollMs)
  }
  await resumeWorkflows()
  const apply = coalesced(async () => {
    try {
      if (engine.takesSteps()) await applySchedules(database)
    } catch (error) {
      log.warn({ source: 'schedules', error: String(error) }, 'Cannot apply the schedules')
    }
  })
  notifications.subscribe(channels.schedules, () => void apply())
  await apply()
  void engine.places.check()
}

function register() {
  return {
    cleanUp: DBOS.registerWorkflow(cleanUpNow, { name: 'cleanUp' }),
    backUp: DBOS.registerWorkflow(backUpNow, { name: 'backUp' }),
    rollUp: DBOS.registerWorkflow(rollUpNow, { name: 'rollUp' }),
    startRun: DBOS.registerWorkflow(startScheduled, { name: 'startScheduledRun' }),
    startMoved: DBOS.registerWorkflow(startMoved, { name: 'startMovedRuns' }),
    startWaiting: DBOS.registerWorkflow(startWaiting, { name: startWorkflow }),
  }
}

/**
 * Poll interval of DBOS. Its default is a second, with eight statements, whether or not there is anything to do; it
 * fires up to ten seconds late anyway.
 */
const pollMs = 12_000

const prefix = 'schedule-'

/** Makes DBOS fire what the table says, and starts the last time that was missed where a schedule asks for that. */
async function applySchedules({ client }: Database): Promise<void> {
  if (!workflows) throw new Error('openSchedules() comes first.')
  const { cleanUp, backUp, rollUp, startRun, startMoved } = workflows
  const rows = await client.schedule.findMany({ where: { enabled: true }, include: lastStart })
  const wanted = rows.map(({ id, cron, timeZone }) => ({
    scheduleName: prefix + id,
    workflowFn: startRun,
    context: { scheduleId: id },
    schedule: cron,
    cronTimezone: timeZone,
  }))
  const stored = await DBOS.listSchedules({ scheduleNamePrefix: prefix })
  const names = new Set(wanted.map(({ scheduleName }) => scheduleName))
  for (const { scheduleName } of stored) {
    if (!names.has(scheduleName)) await DBOS.deleteSchedule(scheduleName)
  }
  const isApplied = new Set(
    stored.map((each) => `${each.scheduleName} ${each.cronTimezone} ${each.schedule}`),
  )
  await DBOS.applySchedules([
    { scheduleName: 'clean-up', workflowFn: cleanUp, schedule: '*/10 * * * *' },
    { scheduleName: 'back-ups', workflowFn: backUp, schedule: '*/10 * * * *' },
    { scheduleName: 'roll-ups', workflowFn: rollUp, schedule: '*/5 * * * *' },
    // Clocks change at a quarter of an hour, and DBOS fires only what is on the clock.
    { scheduleName: 'moved-times', workflowFn: startMoved, schedule: '*/15 * * * *' },
    ...wanted.filter(
      (each) => !isApplied.has(`${each.scheduleName} ${each.cronTimezone} ${each.schedule}`),
    ),
  ])
  for (const row of rows) {
    const at = missedTime(row)
    if (at === null) continue
    const workflowID = workflowIdOf(prefix + row.id, at)
    await DBOS.startWorkflow(startRun, { workflowID })(at, { scheduleId: row.id })
  }
}

const lastStart = { starts: { orderBy: { at: 'desc' }, take: 1 } } as const

type Row = Schedule & { starts: { at: Date }[] }

/** Returns the last time of a schedule if nothing came of it and it is to be made up for; null = there is none. */
function missedTime(schedule: Row): Date | null {
  const {
    missed,
    updatedAt,
    starts: [last],
  } = schedule
  if (missed !== 'once') return null
  const at = lastTime(schedule, new Date())
  return at && at > updatedAt && (!last || at > last.at) ? at : null
}

async function startScheduled(at: Date, { scheduleId }: { scheduleId: string }): Promise<void> {
  await DBOS.runStep(() => startScheduledRun(scheduleId, at), {
    name: 'start',
    retriesAllowed: true,
    maxAttempts: 10,
    intervalSeconds: 2,
  })
}

/** Starts the runs of schedules whose time is moved to `at`, because the change to summer time leaves it out. */
async function startMoved(at: Date): Promise<void> {
  await DBOS.runStep(() => startMovedRuns(at), {
    name: 'start',
    retriesAllowed: true,
    maxAttempts: 10,
  })
}

/** Begins a run that waited, in this process. It ends at once, because the run is in the journal and has an owner. */
async function startWaiting(runId: string): Promise<void> {
  const work = async () => {
    if (!begin) throw new Error('openSchedules() comes first.')
    await begin(runId)
  }
  await DBOS.runStep(work, { name: 'begin', retriesAllowed: true, maxAttempts: 10 })
}

/** Continues the workflows of dead processes in living ones: DBOS does not notice that they are dead. */
export async function resumeWorkflows(): Promise<void> {
  if (!site || !DBOS.isInitialized()) return
  const begun = await DBOS.listWorkflows({ status: 'PENDING', loadInput: false })
  if (begun.length === 0) return
  const living = new Set((await site.client.instance.findMany()).map(({ id }) => id))
  const left = begun.filter(({ executorId }) => !living.has(executorId ?? ''))
  await DBOS.resumeWorkflows(left.map(({ workflowID }) => workflowID))
}

/** Removes what nobody needs any more: old files, assets that were deleted long ago, windows of budgets, results of trials, and workflows that have ended. */
async function cleanUpNow(): Promise<void> {
  await DBOS.runStep(
    async () => {
      if (!site) throw new Error('openSchedules() comes first.')
      await resumeWorkflows()
      // A restored installation is frozen, and what is old in it may be what it was restored for.
      if ((await showFreeze(site.client)) === null) {
        await pruneAssets(site.client)
        await sweepFiles(site.client)
        await pruneLedger(site.client)
        await pruneFileVersions(site.client)
        await pruneTrials(site.client)
      }
      const completedBefore = new Date(Date.now() - remembersHours * 60 * 60_000).toISOString()
      const ended = await DBOS.listWorkflows({
        completedBefore,
        loadInput: false,
        loadOutput: false,
      })
      // Runs were workflows in older versions.
      const formerRuns = await DBOS.listWorkflows({ workflowName: 'workOnRun', loadInput: false })
      await DBOS.deleteWorkflows([...ended, ...formerRuns].map(({ workflowID }) => workflowID))
      await removeOldEntries(site)
    },
    { name: 'clean-up', retriesAllowed: true },
  )
}

/** Writes the daily backup once its hour has come. A server that was down then finds it due at its next look. */
async function backUpNow(): Promise<void> {
  const work = async () => {
    if (!site) throw new Error('openSchedules() comes first.')
    const { client } = site
    await backUpOnSchedule(async () => (await showFreeze(client)) !== null)
  }
  await DBOS.runStep(work, { name: 'back-up' })
}

/** Adds what runs used that ended in the meantime to the sums of days and months. */
async function rollUpNow(): Promise<void> {
  const roll = async () => {
    if (!site) throw new Error('openSchedules() comes first.')
    await rollUpUsage(site)
  }
  await DBOS.runStep(roll, { name: 'roll-up', retriesAllowed: true })
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
