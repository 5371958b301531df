// Routes and instrumentation are separate bundles of one process: the controller lives on globalThis.
const slot = Symbol.for('toolgate.shutdown')
const shared = globalThis as { [slot]?: AbortController }
shared[slot] ??= new AbortController()
const controller = shared[slot]

/** Aborted once, when this process was told to stop. Streams end on it; nothing new begins after it. */
export const shutdownSignal: AbortSignal = controller.signal

export function beginShutdown(): void {
  controller.abort()
}
