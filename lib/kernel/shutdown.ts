const controller = new AbortController()

/** Aborted once, when this process is asked to stop. Streams end then, and nothing new begins. */
export const shutdownSignal: AbortSignal = controller.signal

export function beginShutdown(): void {
  controller.abort()
}
