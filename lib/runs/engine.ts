import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { Pool } from 'pg'
import { env } from '@/lib/env'
import { tendFiles } from '@/lib/files/upload-file'
import { log } from '@/lib/log'
import { newId } from '@/lib/new-id'
import { nextStep } from '@/lib/runtime/next-step'
import {
  beatInstance,
  claimRun,
  findFreeRuns,
  findOwnRuns,
  type InstanceKind,
  registerInstance,
  removeDeadInstances,
  removeInstance,
} from './instances'
import { launchWorkflows } from './launch-workflows'
import { liveRuns, stopTakingSteps } from './live-runs'
import { recheckRuns } from './recheck-runs'
import {
  isWorkedOn,
  registerRunWorkflow,
  resumeRunWorkflow,
  startRunWorkflow,
} from './run-workflow'
import { type Engine, runningEngine, setRunningEngine } from './running-engine'
import { stopCancelledRuns } from './stop-cancelled-runs'
import { tendBudgets } from './tend-budgets'
import { wakeWaitingRuns } from './waiting-runs'
import { channels, onNotify } from './wake'

const beatEveryMs = 3_000
const adoptAtOnce = 50
const workflowConnections = 10
/** When the process is told to stop: how long calls in flight may go on, and then how long stopping them may take. */
const callsMayTakeMs = 10_000
const stopsMayTakeMs = 5_000
/** Stays the same while the workflow's shape does: DBOS resumes only workflows of its own version. */
const workflowVersion = 'toolgate-1'

/** Starts working on runs: own ones, and (a server only) those that dead processes left behind. */
export async function startEngine(kind: InstanceKind): Promise<Engine> {
  const running = runningEngine()
  if (running) return running
  const instanceId = newId()
  await registerInstance(instanceId, kind)
  registerRunWorkflow()
  DBOS.setConfig({
    name: 'toolgate',
    systemDatabaseUrl: env().DATABASE_URL,
    systemDatabasePool: workflowPool(),
    applicationVersion: workflowVersion,
    executorID: instanceId,
    logger: dbosLogger,
  })
  await launchWorkflows()

  let draining = false
  let beating = false
  const beat = async (): Promise<void> => {
    if (beating || draining) return
    beating = true
    try {
      await beatInstance(instanceId, kind)
      // Notifications do this at once; this is for those that a broken connection swallowed.
      await Promise.all([stopCancelledRuns(''), recheckRuns()])
      await wakeWaitingRuns('')
      await beginForgottenRuns(instanceId)
      if (kind === 'server') {
        await adoptFreeRuns(instanceId)
        await tendBudgets()
        await tendFiles()
      }
    } catch (error) {
      log.warn({ source: 'engine', error: String(error) }, 'Heartbeat failed; trying again')
    } finally {
      beating = false
    }
  }
  const timer = setInterval(() => void beat(), beatEveryMs)
  const stops = [
    onNotify(channels.work, () => void beat()),
    onNotify(channels.control, (runId) => void stopCancelledRuns(runId)),
    onNotify(channels.control, (runId) => void wakeWaitingRuns(runId)),
    onNotify(channels.policy, () => void wakeWaitingRuns('')),
    onNotify(channels.policy, () => void recheckRuns()),
  ]
  void beat()

  const engine: Engine = {
    instanceId,
    start: async (runId) => {
      // What is not begun any more is taken over by another process.
      if (!draining) await startRunWorkflow(runId)
    },
    drain: async () => {
      if (draining) return
      draining = true
      clearInterval(timer)
      await handOver()
      for (const stop of stops) stop()
      await removeInstance(instanceId)
      setRunningEngine(undefined)
    },
  }
  setRunningEngine(engine)
  return engine
}

/** A run whose start failed after its row was written: its owner lives, so nobody else will look at it. */
async function beginForgottenRuns(instanceId: string): Promise<void> {
  const forgotten = (await findOwnRuns(instanceId)).filter((runId) => !isWorkedOn(runId))
  for (const runId of forgotten) await resumeRunWorkflow(runId)
}

async function adoptFreeRuns(instanceId: string): Promise<void> {
  await removeDeadInstances(instanceId)
  for (const runId of await findFreeRuns(adoptAtOnce)) {
    if (!(await claimRun(runId, instanceId))) continue
    // Others took this process for dead, but its loop is still here: it looks whose the run is, and goes on by itself.
    if (isWorkedOn(runId)) continue
    log.info({ source: 'engine', runId }, 'Continuing a run that another process left')
    await resumeRunWorkflow(runId)
  }
}

/** Answers are asked for anew elsewhere, so they stop at once; calls get a while to end by themselves. */
async function handOver(): Promise<void> {
  stopTakingSteps()
  for (const run of liveRuns.values()) {
    if (nextStep(run.state).type === 'call-model') run.stop({ type: 'handover' })
  }
  await untilIdle(callsMayTakeMs)
  for (const run of liveRuns.values()) run.stop({ type: 'handover' })
  await untilIdle(stopsMayTakeMs)
}

async function untilIdle(limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs
  while (liveRuns.size > 0 && Date.now() < deadline) await wait(20)
}

/** DBOS configures the connections of its own pool in a way that pg warns about; this one needs no set-up. */
function workflowPool(): Pool {
  const pool = new Pool({ connectionString: env().DATABASE_URL, max: workflowConnections })
  pool.on('error', (error) =>
    log.warn({ source: 'engine', error: String(error) }, 'A workflow connection broke'),
  )
  return pool
}

/** DBOS speaks through the application's log. */
const dbosLogger = {
  info: (entry: unknown) => log.debug({ source: 'dbos' }, text(entry)),
  debug: (entry: unknown) => log.debug({ source: 'dbos' }, text(entry)),
  warn: (entry: unknown) => log.warn({ source: 'dbos' }, text(entry)),
  error: (entry: unknown) => log.error({ source: 'dbos' }, text(entry)),
}

function text(entry: unknown): string {
  return entry instanceof Error ? (entry.stack ?? entry.message) : String(entry)
}
