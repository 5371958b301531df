import 'server-only'
import { hostname } from 'node:os'
import { database } from '@/lib/kernel/db'
import { dbosLauncher } from './dbos-launcher'
import { type Engine, type EngineTimes, runningEngine, setRunningEngine } from './engine'
import type { InstanceKind } from './instances'
import { openEngine } from './open-engine'

/** The times of production, ms. */
export const engineTimes: EngineTimes = {
  heartbeatMs: 3_000,
  deadAfterMs: 15_000,
  overdueAfterMs: 5_000,
  callsMayTakeMs: 10_000,
  stopsMayTakeMs: 5_000,
  retryMs: 1_000,
}

/** Starts the one engine of this process, on its database and with DBOS; returns the running one if there is one. */
export async function startEngine(
  kind: InstanceKind,
  times: Partial<EngineTimes> = {},
): Promise<Engine> {
  const running = runningEngine()
  if (running) return running
  const opened = await openEngine({
    ...{ kind, database: database(), launcher: dbosLauncher, host: hostname() },
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
  return engine
}
