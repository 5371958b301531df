import { boundWord, type SumBound } from '@/lib/protocol/cost/cost'
import { formatCostMicroUsd, usdText } from '@/lib/words/format'

type Props = { microUsd: number | null; bound: SumBound }

/** Shows a cost in dollars. The title has the exact micro-dollars where rounding hides them. */
export function Cost({ microUsd, bound }: Props) {
  const text = formatCostMicroUsd(microUsd)
  if (microUsd === null) return text
  const exact = usdText(microUsd)
  const cut = text.replace(/\D/g, '') !== exact.replace(/\D/g, '')
  return (
    <data value={exact} title={cut ? `$${exact}` : undefined}>
      {boundWord(microUsd, bound)}
      {text}
    </data>
  )
}
