/** Calls `run` after `ms`, unless what it returns is called before: the real `RunDeps.after`. */
export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * Resolves after `ms`, and at once when the signal aborts. Unlike `timers/promises`, it does not reject on an abort,
 * which ends nearly every sleep of a run.
 */
export function sleep(ms: number, signal: AbortSignal, later = after): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const wake = () => {
      cancel()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const cancel = later(ms, wake)
    signal.addEventListener('abort', wake)
  })
}
