import type { Instrumentation } from 'next'

/** The part for Node. The framework builds this file for its other runtime, too, where Toolgate runs nothing. */
let node: typeof import('./instrumentation-node') | undefined

export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  node = await import('./instrumentation-node')
  await node.register()
}

export const onRequestError: Instrumentation.onRequestError = async (...event) => {
  await node?.onRequestError(...event)
}
