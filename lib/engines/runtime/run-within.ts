import type { RunDeps } from './deps'

/** Why work was stopped. */
export type WorkStop = { type: 'timed-out' } | { type: 'aborted'; by: AbortSignal }

/**
 * Runs `work` until it settles, its time is over or one of `stops` aborts, whichever is first. Its own signal is
 * aborted in every case, so that its remaining work can stop, too; work that ignores it is abandoned. Rejects with what
 * `work` throws.
 */
export async function runWithin<T>(
  work: (signal: AbortSignal) => Promise<T>,
  limits: {
    timeoutMs: number
    stops: readonly AbortSignal[]
    sleep: RunDeps['sleep']
    /** True for a stop that this work may outlast. */
    ignores: (stop: AbortSignal) => boolean
  },
): Promise<{ type: 'done'; value: T } | WorkStop> {
  const controller = new AbortController()
  const releases: (() => void)[] = []
  const stopped = new Promise<WorkStop>((resolve) => {
    const stop = (why: WorkStop) => {
      resolve(why)
      controller.abort(why)
    }
    for (const signal of limits.stops) {
      const onAbort = () => {
        if (!limits.ignores(signal)) stop({ type: 'aborted', by: signal })
      }
      if (signal.aborted) onAbort()
      else signal.addEventListener('abort', onAbort, { once: true })
      releases.push(() => signal.removeEventListener('abort', onAbort))
    }
    limits.sleep(limits.timeoutMs, controller.signal).then(
      () => stop({ type: 'timed-out' }),
      () => undefined,
    )
  })
  const done = async () => ({ type: 'done' as const, value: await work(controller.signal) })
  try {
    return await (controller.signal.aborted ? stopped : Promise.race([stopped, done()]))
  } finally {
    for (const release of releases) release()
    controller.abort(null)
  }
}
