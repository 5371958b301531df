import 'server-only'
import { demoProvider } from '@/lib/engines/providers/demo/demo'
import type { RunDeps } from '@/lib/engines/runtime/deps'
import type { Prices } from '@/lib/protocol/cost/money'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { incidentsOf } from '@/lib/runs/work/provider-options'

/**
 * Returns the snapshot of a run in which the demo stands for each model of the chain: at no cost, and called as the demo
 * is. What gates read of the chain, its connections and their trust zones, stays.
 */
export function asTry(snapshot: RunSnapshot): RunSnapshot {
  const { options, targets } = snapshot
  return {
    ...snapshot,
    ...(options && { options: { ...options, outputSchema: null } }),
    toolMode: 'native',
    targets: targets.map(({ unpricedTier: _tier, unpricedField: _field, ...target }) => ({
      ...target,
      modelId: target.wire === 'demo' ? target.modelId : `demo in place of ${target.modelId}`,
      wire: 'demo',
      toolCalling: 'confirmed',
      prices: nothingCosts,
    })),
    isTry: true,
  }
}

const nothingCosts: Prices = { input: 0, output: 0, cachedInput: 0, cacheWrite: 0, reasoning: 0 }

/** Streams what the demo writes in place of the models of a run that tries a tool. It reaches no connection. */
export function openTryStream(): RunDeps['streamModel'] {
  const { stream } = demoProvider(incidentsOf('the demo'), undefined, true)
  return (_target, request, signal, mayResend) => stream(request, signal, mayResend)
}
