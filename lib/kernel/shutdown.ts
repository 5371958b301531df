// Routes and instrumentation are separate bundles of one process, so they share the controller through globalThis.
const slot = Symbol.for('toolgate.shutdown')
const shared = globalThis as { [slot]?: AbortController }
shared[slot] ??= new AbortController()
const controller = shared[slot]

/** Aborted once, when this process is asked to stop. Streams end then, and nothing new begins. */
export const shutdownSignal: AbortSignal = controller.signal

export function beginShutdown(): void {
  controller.abort()
}
