import { ConflictError } from '@/lib/kernel/errors'
import { isPriced } from '@/lib/protocol/cost'
import { noPriceWords } from '@/lib/protocol/model-families'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import type { CheckedRunInput } from './schemas'

/**
 * Returns the snapshot with the cost cap of this run beside those of its configuration and task: it can only narrow
 * (SPEC M4). Throws ConflictError when a cap is enforced and the model has no price, because the cost would be unknown.
 */
export function withRunCap(
  snapshot: RunSnapshot,
  { costCap }: Pick<CheckedRunInput, 'costCap'>,
): RunSnapshot {
  const costCaps = costCap
    ? [...snapshot.costCaps, { scope: 'run' as const, ...costCap }]
    : snapshot.costCaps
  const [target] = snapshot.targets
  const enforced = costCaps.some(({ mode }) => mode === 'enforce')
  if (enforced && target && !isPriced(target.prices)) {
    const { fault, cure } = noPriceWords(target)
    throw new ConflictError(
      `The cost cap would stop this run when reached, but ${target.modelId} ${fault}, so the cost cannot be checked. Either ${cure}, or set the cap to warn only.`,
    )
  }
  return { ...snapshot, costCaps }
}
