import 'server-only'
import { runDatabase } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { type Engine, type EngineTimes, runningEngine, setRunningEngine } from './engine'
import { type InstanceKind, thisHost } from './instances'
import { openEngine } from './open-engine'
import { dbosQueue } from './run-queue'
import { openSchedules, resumeWorkflows, workflowVersion } from './schedules'

/** The times of production, ms. */
export const engineTimes: EngineTimes = {
  heartbeatMs: 1_000,
  lookMs: 200,
  repeatMs: 3_000,
  tidyMs: 15_000,
  deadAfterMs: 6_000,
  overdueAfterMs: 5_000,
  // With what follows, less than the 30 s after which a supervisor kills a process.
  callsMayTakeMs: 20_000,
  stopsMayTakeMs: 5_000,
  retryMs: 1_000,
  unreadableMs: 5_000,
}

/** Calls `work` every so many ms, until the returned function is called. */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms)
  return () => clearInterval(timer)
}

/** Starts the one engine of this process, on its database, and as a server the schedules with DBOS; returns the running one if there is one. */
export async function startEngine(
  kind: InstanceKind,
  times: Partial<EngineTimes> = {},
  onNewerSchema?: () => void,
): Promise<Engine> {
  const running = runningEngine()
  if (running) return running
  const opened = await openEngine({
    kind,
    database: runDatabase(),
    host: thisHost(),
    every,
    onDead: resumeWorkflows,
    ...(kind === 'server' && { queue: dbosQueue(workflowVersion) }),
    ...(onNewerSchema && { onNewerSchema }),
    mostRuns: env().TOOLGATE_RUNS_PER_PROCESS,
    times: { ...engineTimes, ...times },
  })
  const engine: Engine = {
    ...opened,
    close: async () => {
      await opened.close()
      if (runningEngine() === engine) setRunningEngine(undefined)
    },
  }
  setRunningEngine(engine)
  if (kind === 'server') await openSchedules(engine)
  return engine
}
