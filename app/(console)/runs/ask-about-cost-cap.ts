import type { CostCapChoice } from '@/lib/protocol/cost-cap-choices'
import { decideCostCap } from './actions'

/** Null = the choice is taken; else what to tell the reader. */
export async function askAboutCostCap(
  runId: string,
  choice: CostCapChoice,
): Promise<string | null> {
  try {
    const result = await decideCostCap({ runId, choice })
    return result.ok ? null : result.error.message
  } catch {
    return 'The server cannot be reached. The run continues as before. Try again.'
  }
}
