import type { CostCapMode } from './configuration-form'

/** What happens when a run passes its cost cap. */
export const costCapModeWords: Record<CostCapMode, string> = {
  warn: 'Warn only',
  enforce: 'Stop with a final answer',
  off: 'Off: the value is kept but has no effect',
}
