import { cn } from '@/components/ui/cn'
import { Cost } from '@/components/ui/cost'
import { amountWords, type BudgetUnit } from '@/lib/words/format'

type Props = {
  unit: BudgetUnit
  amount: number
  spent: number
  /** Reserved for requests that have not ended. */
  reserved: number
  /** The spent amount lacks requests without a price. */
  spentAtLeast: boolean
  /** The budget is off and counts nothing. */
  muted?: boolean
}

/** Shows how much of a budget is spent and reserved, as a bar and in words. */
export function BudgetBar({ unit, amount, spent, reserved, spentAtLeast, muted = false }: Props) {
  const share = (figure: number) => Math.min(100, (figure / amount) * 100)
  const percent = Math.floor(((spent + reserved) / amount) * 100)
  const held = Math.min(100 - share(spent), share(reserved))
  return (
    <div className={cn('flex min-w-0 flex-col gap-1', muted && 'opacity-60')}>
      <div aria-hidden className="flex h-1.5 overflow-hidden rounded-sm bg-surface-3">
        <div className={tone(spent / amount)} style={{ width: `${share(spent)}%` }} />
        <div className="bg-waiting opacity-60" style={{ width: `${held}%` }} />
      </div>
      <p className="numeric text-sm">
        {unit === 'micro-usd' ? <Cost microUsd={spent} bound="exact" /> : amountWords(spent, unit)}{' '}
        of {amountWords(amount, unit)}
        <span className="text-muted">
          {' '}
          · {percent} %{reserved > 0 && `, ${amountWords(reserved, unit)} reserved`}
          {spentAtLeast && ', without unpriced requests'}
        </span>
      </p>
    </div>
  )
}

/** Returns the colour of the bar. The words beside it say the same. */
function tone(share: number): string {
  if (share >= 1) return 'bg-error'
  return share >= 0.8 ? 'bg-warning' : 'bg-running'
}
