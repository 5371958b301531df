import { formatCostMicroUsd } from '@/lib/protocol/format'
import { usdText } from '@/lib/protocol/usd-text'

/** A cost as people read it; to the micro-dollar on a closer look, where cents leave something out. */
export function Cost({ microUsd }: { microUsd: number | null }) {
  const text = formatCostMicroUsd(microUsd)
  if (microUsd === null) return text
  const exact = usdText(microUsd)
  const cut = text.replace(/\D/g, '') !== exact.replace(/\D/g, '')
  return (
    <data value={exact} title={cut ? `$${exact}` : undefined}>
      {text}
    </data>
  )
}
