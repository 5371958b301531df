import { InvalidArgumentError } from 'commander'
import { parseUsd } from '@/lib/protocol/format'

export type CostCapOption = { mode: 'warn' | 'enforce'; limitMicroUsd: number }

/** Parses a cost cap (SPEC M4). "0.50" or "warn:0.50" warns once; "enforce:0.50" ends the run with a final answer. */
export function costCapOption(text: string): CostCapOption {
  const [, mode = 'warn', figure = ''] = /^(?:(warn|enforce):)?(.*)$/s.exec(text) ?? []
  const limitMicroUsd = parseUsd(figure)
  if (limitMicroUsd === null || limitMicroUsd === 0) {
    throw new InvalidArgumentError(
      'Give US dollars with up to six decimals, such as 0.50 or enforce:0.50.',
    )
  }
  return { mode: mode === 'enforce' ? 'enforce' : 'warn', limitMicroUsd }
}
