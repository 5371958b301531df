import 'server-only'

/** The part of this process that works on runs. */
export type Engine = {
  instanceId: string
  /** Begins a run whose row already names this instance. */
  start: (runId: string) => Promise<void>
  /** Hands over what is in flight and stops; nothing is started afterwards. */
  drain: () => Promise<void>
}

// Actions and routes are other bundles than instrumentation: they find the engine on globalThis.
const slot = Symbol.for('toolgate.engine')
const shared = globalThis as { [slot]?: Engine }

/** The engine of this process, if it has one. */
export function runningEngine(): Engine | undefined {
  return shared[slot]
}

export function setRunningEngine(engine: Engine | undefined): void {
  shared[slot] = engine
}
