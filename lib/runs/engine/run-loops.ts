import 'server-only'
import { log } from '@/lib/kernel/log'
import { workOnRun } from '@/lib/runs/work/advance-run'
import { claimCalledRun } from '../places'
import type { Engine, EngineWork } from './engine'
import { claimRuns, findOverdueRuns, type InstanceKind } from './instances'
import { firstEvent, type NewRun } from './live-runs'

/** So few that servers that claim at the same time share what is free. */
const claimedAtOnce = 10

/** Works on the runs of one engine. */
export class RunLoops implements EngineWork {
  readonly #engine: () => Engine
  readonly #kind: InstanceKind
  readonly #workedOn = new Set<string>()

  constructor(engine: () => Engine, kind: InstanceKind) {
    this.#engine = engine
    this.#kind = kind
  }

  get count(): number {
    return this.#workedOn.size
  }

  start(run: NewRun): void {
    const { feed, takesSteps } = this.#engine()
    // Another engine claims runs that this one did not start.
    if (!takesSteps()) return
    // One that goes on from another run has more in the database than its first event.
    if (run.copied) {
      void this.#work(run.runId)
      return
    }
    feed.begin(run.userId, firstEvent(run))
    void this.#work(run.runId, run)
  }

  async begin(runId: string): Promise<void> {
    const { database, instanceId, places, takesSteps } = this.#engine()
    // One that closes leaves the run to any other.
    if (!(await claimCalledRun(database, runId, takesSteps() ? instanceId : null))) return
    places.begun(runId)
    if (takesSteps()) void this.#work(runId)
  }

  async startOverdue(): Promise<void> {
    const { instanceId, times, database } = this.#engine()
    const overdue = await findOverdueRuns(database, instanceId, times.overdueAfterMs)
    for (const runId of overdue) if (!this.#workedOn.has(runId)) void this.#work(runId)
  }

  async claimFree(): Promise<boolean> {
    if (this.#kind !== 'server') return true
    const { places, database, instanceId, takesSteps } = this.#engine()
    for (;;) {
      const room = Math.min(claimedAtOnce, places.room())
      if (room === 0) return false
      const release = places.hold(room)
      const claimed = await claimRuns(database, instanceId, room).finally(release)
      for (const runId of claimed) {
        // Others believed that this engine was dead, but its loop still works on the run and sees that it owns it again.
        if (this.#workedOn.has(runId)) continue
        log.info({ source: 'engine', runId }, 'Continuing a run that another process left')
        void this.#work(runId)
      }
      if (claimed.length === 0 || !takesSteps()) return true
    }
  }

  /** Works on a run with at most one loop: two would share the state in memory, and each would start its calls. */
  async #work(runId: string, created?: NewRun): Promise<void> {
    if (this.#workedOn.has(runId)) return
    this.#workedOn.add(runId)
    const engine = this.#engine()
    await workOnRun(engine, runId, created).finally(() => {
      this.#workedOn.delete(runId)
      engine.feed.leave(runId)
      engine.places.left(runId)
    })
  }
}
