/**
 * Resolves after `ms`, and at once when the signal aborts: the real `RunDeps.sleep`. Unlike `timers/promises`, it does
 * not reject on an abort, which ends nearly every sleep of a run.
 */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', wake)
  })
}
