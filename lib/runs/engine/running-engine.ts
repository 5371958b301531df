import 'server-only'

/** The part of this process that works on runs. */
export type Engine = {
  instanceId: string
  /** Starts a run whose row already names this instance. */
  start: (runId: string) => Promise<void>
  /** Hands over active runs and stops the engine; it starts nothing afterwards. */
  drain: () => Promise<void>
}

// Actions and routes are other bundles than instrumentation, so the engine is on globalThis.
const slot = Symbol.for('toolgate.engine')
const shared = globalThis as { [slot]?: Engine }

/** Returns the engine of this process, if it has one. */
export function runningEngine(): Engine | undefined {
  return shared[slot]
}

export function setRunningEngine(engine: Engine | undefined): void {
  shared[slot] = engine
}
