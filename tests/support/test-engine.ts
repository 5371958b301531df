import { database } from '@/lib/kernel/db'
import {
  type Engine,
  type EngineTimes,
  runningEngine,
  setRunningEngine,
} from '@/lib/runs/engine/engine'
import { thisHost } from '@/lib/runs/engine/instances'
import { openEngine } from '@/lib/runs/engine/open-engine'
import { engineTimes, every } from '@/lib/runs/engine/start-engine'

/** Times with which tests need not wait for heartbeats. A process without them is dead as late as in production. */
export const quickTimes: Partial<EngineTimes> = {
  heartbeatMs: 300,
  repeatMs: 300,
  tidyMs: 300,
  retryMs: 100,
  unreadableMs: 1_500,
}

/** Returns timers of an engine that `pause` stops, as if its process hung, until `resume` is called. */
export function timersToPause() {
  let paused = false
  return {
    every: (ms: number, work: () => void) =>
      every(ms, () => {
        if (!paused) work()
      }),
    pause: () => {
      paused = true
    },
    resume: () => {
      paused = false
    },
  }
}

/** Does `work` as in a process whose engine is this one. */
export async function onEngine<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
  const before = runningEngine()
  setRunningEngine(engine)
  try {
    return await work()
  } finally {
    setRunningEngine(before)
  }
}

/** Starts the one engine of this process without DBOS, which would make its own tables in every test file's database. */
export async function startTestEngine(times: Partial<EngineTimes> = {}): Promise<Engine> {
  const opened = await openEngine({
    kind: 'server',
    database: database(),
    host: thisHost(),
    every,
    times: { ...engineTimes, ...times },
  })
  const engine: Engine = {
    ...opened,
    close: async () => {
      await opened.close()
      setRunningEngine(undefined)
    },
  }
  setRunningEngine(engine)
  return engine
}
