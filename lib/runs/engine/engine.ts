import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { Pool } from 'pg'
import { budgetUpkeep } from '@/lib/domains/budgets/budget-upkeep'
import { nextStep } from '@/lib/engines/runtime/next-step'
import { env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { fileUpkeep } from '@/lib/runs/files/upload-file'
import { channels, onNotify } from '../journal/wake'
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
import { wakeWaitingRuns } from './waiting-runs'

const beatEveryMs = 3_000
const maxClaimsPerBeat = 50
const workflowConnections = 10
/** When the process must stop: how long calls in flight may continue, and then how long stopping them may take. */
const callsMayTakeMs = 10_000
const stopsMayTakeMs = 5_000
/** Stays the same while the workflow's shape does: DBOS resumes only workflows of its own version. */
const workflowVersion = 'toolgate-1'

/** Starts the engine of this process. It works on its own runs and, on a server, on those that dead processes left. */
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
      // Notifications do this at once. This repeats it for those that were lost with a connection.
      await Promise.all([stopCancelledRuns(''), recheckRuns()])
      await wakeWaitingRuns('')
      await startOverdueRuns(instanceId)
      if (kind === 'server') {
        await claimFreeRuns(instanceId)
        await budgetUpkeep()
        await fileUpkeep()
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
      // Another process claims runs that this one did not start.
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

/** Starts runs whose start failed after their row was written. Their owner is alive, so no other process claims them. */
async function startOverdueRuns(instanceId: string): Promise<void> {
  const overdue = (await findOwnRuns(instanceId)).filter((runId) => !isWorkedOn(runId))
  for (const runId of overdue) await resumeRunWorkflow(runId)
}

/** Claims runs without a living owner and continues them. */
async function claimFreeRuns(instanceId: string): Promise<void> {
  await removeDeadInstances(instanceId)
  for (const runId of await findFreeRuns(maxClaimsPerBeat)) {
    if (!(await claimRun(runId, instanceId))) continue
    // Others believed that this process was dead, but its loop still works on the run and sees that it owns it again.
    if (isWorkedOn(runId)) continue
    log.info({ source: 'engine', runId }, 'Continuing a run that another process left')
    await resumeRunWorkflow(runId)
  }
}

/** Stops work for a hand-over. Another process repeats model requests, so those stop at once; tool calls may end first. */
async function handOver(): Promise<void> {
  stopTakingSteps()
  for (const run of liveRuns.values()) {
    if (nextStep(run.state).type === 'call-model') run.stop({ type: 'handover' })
  }
  await untilIdle(callsMayTakeMs)
  for (const run of liveRuns.values()) run.stop({ type: 'handover' })
  await untilIdle(stopsMayTakeMs)
}

/** Resolves when no run is in memory, or after `limitMs`. */
async function untilIdle(limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs
  while (liveRuns.size > 0 && Date.now() < deadline) await wait(20)
}

/** Returns the pool for DBOS. DBOS's own pool configures its connections in a way that pg warns about. */
function workflowPool(): Pool {
  const pool = new Pool({ connectionString: env().DATABASE_URL, max: workflowConnections })
  pool.on('error', (error) =>
    log.warn({ source: 'engine', error: String(error) }, 'A workflow connection broke'),
  )
  return pool
}

/** Writes DBOS's log entries to the application's log. */
const dbosLogger = {
  info: (entry: unknown) => log.debug({ source: 'dbos' }, text(entry)),
  debug: (entry: unknown) => log.debug({ source: 'dbos' }, text(entry)),
  warn: (entry: unknown) => log.warn({ source: 'dbos' }, text(entry)),
  error: (entry: unknown) => log.error({ source: 'dbos' }, text(entry)),
}

function text(entry: unknown): string {
  return entry instanceof Error ? (entry.stack ?? entry.message) : String(entry)
}
