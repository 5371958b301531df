import type { CostCapMode } from '@/lib/protocol/parameters/configuration-form'

/** Effect of passing the cost cap of a run. */
export const costCapModeWords: Record<CostCapMode, string> = {
  warn: 'Warn only',
  enforce: 'Stop with a final answer',
  off: 'Off: the value is kept but has no effect',
}

/** By how much an enforced cap of a whole panel can be passed. */
export const panelCapBound =
  'Members work at the same time, so each can pass it by up to two requests: the one under way, and a final answer.'
