import { parseUsd, usdText } from '@/lib/protocol/codecs'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'

/** What the form holds of a run's own cost cap: the field's text, "" = none. */
export type CapWish = { costCap: string; costCapMode: 'enforce' | 'warn' }

export const noCap: CapWish = { costCap: '', costCapMode: 'warn' }

export function capError({ costCap }: CapWish): string | null {
  if (costCap.trim() === '') return null
  const figure = parseUsd(costCap)
  return figure === null || figure === 0
    ? 'Enter US dollars such as 0.50, with up to six decimals.'
    : null
}

/** The cap as the server takes it. */
export function capInput({ costCap, costCapMode: mode }: CapWish) {
  const limitMicroUsd = costCap.trim() === '' ? null : parseUsd(costCap)
  return limitMicroUsd === null ? null : { mode, limitMicroUsd }
}

/** The cap that a run was started with, to start it again. */
export function capOf({ costCaps }: RunSnapshot): CapWish {
  const own = costCaps.find(({ scope }) => scope === 'run')
  return own ? { costCap: usdText(own.limitMicroUsd), costCapMode: own.mode } : noCap
}
