import type { RunDeps } from '@/lib/engines/runtime/deps'
import type { RunStep } from '@/lib/engines/runtime/run-step'
import type { Actor, CallContext } from '@/lib/protocol/tool'

type Caller = {
  step: Pick<RunStep, 'deps' | 'state'>
  actor: Actor
  callId: string
  /** Left out = it is only looked at, and nothing is shown. */
  tell?: CallContext['tell']
  started?: CallContext['started']
}

/** Returns what a tool gets beside its arguments. Its signal is made when the tool asks for it. */
export function callContext(
  signalOf: () => AbortSignal,
  { step, actor, callId, tell, started }: Caller,
): CallContext {
  return {
    get signal() {
      return signalOf()
    },
    actor,
    runId: step.deps.runId,
    configurationId: step.state().start?.snapshot.configurationId ?? null,
    callId,
    tell,
    started,
  }
}

/** Why work was stopped. */
export type WorkStop = { type: 'timed-out' } | { type: 'aborted'; by: AbortSignal }

/**
 * Runs `work` until it settles, its time is over or one of `stops` aborts, whichever is first. The signal that it may
 * ask for is aborted in every case, so that its remaining work can stop, too; work that ignores it is abandoned. Most
 * work never asks, and a signal costs more than such work. Rejects with what `work` throws.
 */
export function runWithin<T>(
  work: (signal: () => AbortSignal) => Promise<T>,
  limits: {
    timeoutMs: number
    stops: readonly AbortSignal[]
    after: RunDeps['after']
    /** True for a stop that this work may outlast. */
    ignores: (stop: AbortSignal) => boolean
  },
): Promise<{ type: 'done'; value: T } | WorkStop> {
  return new Promise((resolve, reject) => {
    let controller: AbortController | null = null
    let ended: { why: WorkStop | null } | null = null
    const signal = () => {
      controller ??= new AbortController()
      if (ended) controller.abort(ended.why)
      return controller.signal
    }
    const end = (why: WorkStop | null) => {
      if (ended) return
      ended = { why }
      cancel()
      for (const stop of limits.stops) stop.removeEventListener('abort', onAbort)
      controller?.abort(why)
      if (why) resolve(why)
    }
    function onAbort({ target }: Pick<Event, 'target'>): void {
      const by = limits.stops.find((stop) => stop === target)
      if (by && !limits.ignores(by)) end({ type: 'aborted', by })
    }
    const cancel = limits.after(limits.timeoutMs, () => end({ type: 'timed-out' }))
    for (const stop of limits.stops) if (stop.aborted) onAbort({ target: stop })
    if (ended) return
    for (const stop of limits.stops) stop.addEventListener('abort', onAbort)
    const fail = (error: unknown) => {
      end(null)
      reject(error)
    }
    try {
      Promise.resolve(work(signal)).then((value) => {
        end(null)
        resolve({ type: 'done', value })
      }, fail)
    } catch (error) {
      fail(error)
    }
  })
}
