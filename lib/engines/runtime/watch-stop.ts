import type { RunState } from '@/lib/protocol/fold-run'
import type { RunDeps, StopReason } from './deps'

/** Why a step must stop early; `released` = it is over, and its remaining work must stop. */
export type StepStop = StopReason | { type: 'time-limit' } | { type: 'released' }

export type StepWatch = {
  signal: AbortSignal
  /** Stops the step from inside; the first reason counts. */
  stop: (why: StopReason) => void
  /** Ends the watch and aborts the remaining work of the step. */
  release: () => void
}

/** The longest delay of a timer, ms. */
const longestSleepMs = 2 ** 31 - 1

/**
 * Returns one signal for a step: aborted by `deps.signal`, by the step itself or when the time of the run is over (SPEC
 * R8, R9, G-R), with a `StepStop` as reason.
 */
export function watchStop(state: RunState, deps: RunDeps): StepWatch {
  const controller = new AbortController()
  const stop = () => controller.abort(stopReason(deps.signal.reason))
  const release = () => {
    deps.signal.removeEventListener('abort', stop)
    controller.abort({ type: 'released' } satisfies StepStop)
  }
  if (deps.signal.aborted) stop()
  else deps.signal.addEventListener('abort', stop, { once: true })

  const expire = () => controller.abort({ type: 'time-limit' } satisfies StepStop)
  const leftMs = timeLeftMs(state, deps.now())
  if (leftMs <= 0) expire()
  else deps.sleep(Math.min(leftMs, longestSleepMs), controller.signal).then(expire, () => undefined)
  return { signal: controller.signal, stop: (why) => controller.abort(why), release }
}

/** Returns the time a run has left, ms. Waiting for a person does not count (SPEC R8, G-A). */
function timeLeftMs({ start, startedAt, waitingSince, waitedMs }: RunState, now: number): number {
  if (!start || startedAt === null || waitingSince !== null) return longestSleepMs
  return startedAt + waitedMs + start.snapshot.timeLimitMs - now
}

const stopTypes: ReadonlySet<string> = new Set<StopReason['type']>([
  'cancelled',
  'frozen',
  'revoked',
  'handover',
])

/** Returns the reason of an abort; one that is not ours means stop, too. */
function stopReason(reason: unknown): StopReason {
  const type = typeof reason === 'object' && reason !== null && 'type' in reason && reason.type
  if (typeof type === 'string' && stopTypes.has(type)) return reason as StopReason
  return { type: 'cancelled', by: 'the server', reason: '' }
}

/**
 * Returns true when another process continues the run: started work stays open here, and parts of it are not recorded.
 */
export function isHandover({ aborted, reason }: AbortSignal): boolean {
  return aborted && (reason as StepStop).type === 'handover'
}
