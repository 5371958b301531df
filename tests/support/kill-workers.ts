import { setTimeout as wait } from 'node:timers/promises'
import type { Prisma } from '@/lib/generated/prisma/client'
import { db } from './fixture-db'
import { startWorker, stopped, type Worker } from './start-worker'
import type { WritingRun } from './writing-runs'

/** A server is killed just after one of these events is stored, or at any moment. */
export const boundaries = [
  'round-start',
  'message',
  'call-start',
  'call-end',
  'any moment',
] as const
type Boundary = (typeof boundaries)[number] | 'run-end'

/** The runs of a test. `startMore` is called when all have ended, so that a kill hits one. */
type Targets = { where: () => Prisma.RunWhereInput; startMore: () => Promise<unknown> }

/** Returns these runs as targets, to which `startOne` adds. */
export function targetsIn(runs: WritingRun[], startOne: () => Promise<WritingRun>): Targets {
  return {
    where: () => ({ id: { in: runs.map(({ runId }) => runId) } }),
    startMore: async () => runs.push(await startOne()),
  }
}

/** A run that went on when its server was killed. */
export type Interrupted = { runId: string; killedAt: Date }

const production = () => startWorker({ times: 'production' })

/** Returns servers with the times of production, which a test kills one after the other. */
export function openVictims() {
  let workers: Worker[] = []
  const starting: Promise<unknown>[] = []

  const findActive = ({ where }: Targets) =>
    db().run.findMany({
      where: { AND: where(), NOT: { status: 'ended' } },
      select: { id: true, instanceId: true },
    })

  /** Returns a worker that works on a run. */
  const workerInUse = async (targets: Targets): Promise<Worker> => {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(10)) {
      const active = await findActive(targets)
      if (active.length === 0) await targets.startMore()
      const used = workers.filter(({ instanceId }) =>
        active.some((run) => run.instanceId === instanceId),
      )
      const found = used[Math.floor(Math.random() * used.length)]
      if (found) return found
    }
    throw new Error('No worker took a run.')
  }

  /** Waits for a boundary in some run, and returns the worker that passed it; one in use when none does in time. */
  const workerAt = async (boundary: Boundary, targets: Targets): Promise<Worker> => {
    if (boundary === 'any moment') {
      await wait(Math.random() * 400)
      return workerInUse(targets)
    }
    const where = { type: boundary, run: targets.where() }
    const before = await db().runEventRow.count({ where })
    for (const deadline = Date.now() + 2_000; Date.now() < deadline; await wait(3)) {
      if ((await db().runEventRow.count({ where })) === before) continue
      const last = { where, orderBy: { at: 'desc' }, include: { run: true } } as const
      const owner = (await db().runEventRow.findFirst(last))?.run.instanceId
      const found = workers.find(({ instanceId }) => instanceId === owner)
      if (found) return found
    }
    return workerInUse(targets)
  }

  return {
    /** Starts so many servers more, and returns them. */
    begin: async (count: number): Promise<Worker[]> => {
      const begun = await Promise.all(Array.from({ length: count }, production))
      workers.push(...begun)
      return begun
    },
    /** Kills a server and begins to start another one. Returns the runs that it left. */
    killAt: async (boundary: Boundary, targets: Targets): Promise<Interrupted[]> => {
      const worker = await workerAt(boundary, targets)
      const owned = (await findActive(targets)).filter(
        ({ instanceId }) => instanceId === worker.instanceId,
      )
      await stopped(worker)
      const killedAt = new Date()
      workers = workers.filter((each) => each !== worker)
      starting.push(production().then((started) => workers.push(started)))
      // Others may have taken them by now.
      const active = new Set((await findActive(targets)).map(({ id }) => id))
      return owned.filter(({ id }) => active.has(id)).map(({ id: runId }) => ({ runId, killedAt }))
    },
    /** Resolves when at most so many servers are still starting. */
    untilStarted: async (most = 0): Promise<void> => {
      while (starting.length > most) await starting.shift()
    },
    /** Kills all of them. */
    close: async (): Promise<void> => {
      await Promise.all(starting.splice(0))
      await Promise.all(workers.splice(0).map(stopped))
    },
  }
}
