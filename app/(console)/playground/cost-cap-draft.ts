import { parseUsd, usdText } from '@/lib/protocol/format'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'

/** The form's values for a run's own cost cap: the field's text in dollars, "" = none. */
export type CostCapDraft = { costCap: string; costCapMode: 'enforce' | 'warn' }

export const noCap: CostCapDraft = { costCap: '', costCapMode: 'warn' }

/** Returns what is wrong with the field's text; null = it is valid. */
export function capError({ costCap }: CostCapDraft): string | null {
  if (costCap.trim() === '') return null
  const figure = parseUsd(costCap)
  return figure === null || figure === 0
    ? 'Enter US dollars such as 0.50, with up to six decimals.'
    : null
}

/** Returns the cap as `runPrompt` takes it; null = none. */
export function capInput({ costCap, costCapMode: mode }: CostCapDraft) {
  const limitMicroUsd = costCap.trim() === '' ? null : parseUsd(costCap)
  return limitMicroUsd === null ? null : { mode, limitMicroUsd }
}

/** Returns the cap that a run was started with, as the form holds it. */
export function capOf({ costCaps }: RunSnapshot): CostCapDraft {
  const own = costCaps.find(({ scope }) => scope === 'run')
  return own ? { costCap: usdText(own.limitMicroUsd), costCapMode: own.mode } : noCap
}
