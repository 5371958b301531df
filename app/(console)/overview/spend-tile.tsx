import type { Spend } from '@toolgate/server/domains/usage/spend'
import type { MonthSpend } from '@toolgate/server/doors/overview/read-admin-overview'
import Link from 'next/link'
import { BudgetBar } from '@/components/budgets/budget-bar'
import { Cost } from '@/components/ui/cost'
import { monthPace } from '@/lib/domains/budgets/shared/month-pace'
import { boundOf, isUnpriced } from '@/lib/domains/usage/shared/cost-words'
import { countOf, formatCostMicroUsd } from '@/lib/words/format'
import { Tile } from './tile'

/** Shows what the site spent this month, beside its monthly budget where it has one. */
export function SpendTile({
  month: { spend, limitMicroUsd },
  now,
}: {
  month: MonthSpend
  now: Date
}) {
  return (
    <Tile title="Spend this month" href="/usage?period=this-month">
      {limitMicroUsd === null ? (
        <>
          <SpentFigure spend={spend} />
          <PaceLine spend={spend} now={now} />
          <p className="text-muted text-sm">
            No monthly budget.{' '}
            <Link href="/budgets" className="text-link underline underline-offset-2">
              Add one
            </Link>
          </p>
        </>
      ) : (
        <>
          <SpentFigure spend={spend} />
          <BudgetBar
            unit="micro-usd"
            amount={limitMicroUsd}
            spent={spend.costMicroUsd}
            reserved={0}
            spentAtLeast={spend.unpriced > 0}
          />
          <PaceLine spend={spend} now={now} />
        </>
      )}
    </Tile>
  )
}

export function SpentFigure({ spend }: { spend: Spend }) {
  return (
    <p className="numeric font-semibold text-strong text-xl">
      <Cost microUsd={isUnpriced(spend) ? null : spend.costMicroUsd} bound={boundOf(spend)} />
    </p>
  )
}

/** Says what the month will cost at this pace, and which requests are not in it. */
export function PaceLine({ spend, now }: { spend: Spend; now: Date }) {
  const words = paceWords(spend, now)
  return words && <p className="numeric text-muted text-sm">{words}</p>
}

/** Returns "At this pace $38.00 this month (UTC)." and how many requests are unpriced. */
function paceWords({ calls, costMicroUsd, unpriced }: Spend, now: Date): string {
  if (calls === 0) return 'No requests this month (UTC).'
  const pace = costMicroUsd > 0 ? monthPace(costMicroUsd, now) : null
  const parts = [
    pace === null ? '' : `At this pace ${formatCostMicroUsd(pace)} this month (UTC).`,
    unpriced > 0 ? `${countOf(unpriced, 'request')} unpriced.` : '',
  ]
  return parts.filter(Boolean).join(' ')
}
