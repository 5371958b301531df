import Link from 'next/link'
import { Card } from '@/components/ui/card'
import { Cost } from '@/components/ui/cost'
import { Section } from '@/components/ui/section'
import { boundOf, isUnpriced } from '@/lib/domains/usage/cost-words'
import { readUsageTotals } from '@/lib/domains/usage/reads'
import type { UsageFigures } from '@/lib/domains/usage/usage-sql'
import { usageWindow } from '@/lib/domains/usage/usage-window'
import type { Ctx } from '@/lib/kernel/context'
import { countOf, formatTokens } from '@/lib/protocol/format'

const periods = [
  { period: 'this-month', label: 'This month' },
  { period: 'last-month', label: 'Last month' },
] as const

/** Shows what a person's requests cost in this month and in the last one, in UTC as budgets count. */
export async function UserSpend({ ctx, userId }: { ctx: Ctx; userId: string }) {
  const now = new Date()
  const sums = await Promise.all(
    periods.map(async ({ period, label }) => ({
      label,
      figures: await readUsageTotals(ctx, usageWindow(period, now), { user: userId }),
    })),
  )
  return (
    <Section
      title="Spend"
      action={
        <Link
          href={`/usage?period=this-month&user=${userId}`}
          className="text-link underline-offset-2 hover:underline"
        >
          All in usage
        </Link>
      }
    >
      <Card className="p-3">
        <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2">
          {sums.map(({ label, figures }) => (
            <Spent key={label} label={label} figures={figures} />
          ))}
        </dl>
      </Card>
    </Section>
  )
}

function Spent({ label, figures }: { label: string; figures: UsageFigures }) {
  const { calls, unpriced, inputTokens, outputTokens, costMicroUsd } = figures
  return (
    <div className="numeric min-w-0">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-semibold text-strong">
        <Cost microUsd={isUnpriced(figures) ? null : costMicroUsd} bound={boundOf(figures)} />
      </dd>
      <dd className="text-muted text-sm">
        {countOf(calls, 'request')}, {formatTokens(inputTokens + outputTokens)}
        {unpriced > 0 && (
          <span className="text-warning">, {countOf(unpriced, 'request')} unpriced</span>
        )}
      </dd>
    </div>
  )
}
