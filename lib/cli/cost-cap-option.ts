import { InvalidArgumentError } from 'commander'
import { parseUsd } from '@/lib/protocol/usd-text'

export type CostCapOption = { mode: 'warn' | 'enforce'; limitMicroUsd: number }

/** "0.50" or "enforce:0.50" ends the run with a closing answer, "warn:0.50" only says so. */
export function costCapOption(text: string): CostCapOption {
  const [, mode = 'enforce', figure = ''] = /^(?:(warn|enforce):)?(.*)$/s.exec(text) ?? []
  const limitMicroUsd = parseUsd(figure)
  if (limitMicroUsd === null || limitMicroUsd === 0) {
    throw new InvalidArgumentError(
      'Give dollars with at most six decimals, as in 0.50 or warn:0.50.',
    )
  }
  return { mode: mode === 'warn' ? 'warn' : 'enforce', limitMicroUsd }
}
