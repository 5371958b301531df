import {
  type Engine,
  type EngineTimes,
  type Launcher,
  runningEngine,
  setRunningEngine,
} from '@/lib/runs/engine/engine'

/** Times with which tests need not wait for heartbeats. A process without them is dead as late as in production. */
export const quickTimes: Partial<EngineTimes> = { heartbeatMs: 300 }

/** Runs the work of one engine in memory, without DBOS. `pause` stops its heartbeats, as if its process hung. */
export function memoryLauncher(): Launcher & { pause: () => void } {
  let work: Parameters<Launcher['open']>[0] | undefined
  let paused = false
  const begin = async (runId: string): Promise<void> => {
    if (!work) throw new Error('open() comes first.')
    void work(runId)
  }
  return {
    open: async (given) => {
      work = given
    },
    enqueue: begin,
    claim: begin,
    schedule: (everyMs, scheduled) => {
      const timer = setInterval(() => {
        if (!paused) scheduled()
      }, everyMs)
      return () => clearInterval(timer)
    },
    pause: () => {
      paused = true
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
