import { hostname } from 'node:os'
import { database } from '@/lib/kernel/db'
import {
  type Engine,
  type EngineTimes,
  type Launcher,
  runningEngine,
  setRunningEngine,
} from '@/lib/runs/engine/engine'
import { openEngine } from '@/lib/runs/engine/open-engine'
import { engineTimes } from '@/lib/runs/engine/start-engine'

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

/** Starts the one engine of this process without DBOS, which would make its own tables in every test file's database. */
export async function startTestEngine(times: Partial<EngineTimes> = {}): Promise<Engine> {
  const opened = await openEngine({
    ...{ kind: 'server', database: database(), launcher: memoryLauncher(), host: hostname() },
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
