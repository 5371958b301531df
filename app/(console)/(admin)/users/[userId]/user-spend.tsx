import { readUserSpend } from '@toolgate/server/domains/usage/spend'
import type { Ctx } from '@toolgate/server/kernel/context'
import Link from 'next/link'
import { Card } from '@/components/ui/card'
import { Cost } from '@/components/ui/cost'
import { Section } from '@/components/ui/section'
import { boundOf, isUnpriced } from '@/lib/domains/usage/shared/cost-words'
import type { UsageFigures } from '@/lib/domains/usage/shared/usage-figures'
import { countOf, formatTokens } from '@/lib/words/format'

/** Shows what a person's requests cost in this month and in the last one. */
export async function UserSpend({ ctx, userId }: { ctx: Ctx; userId: string }) {
  const { thisMonth, lastMonth } = await readUserSpend(ctx, userId)
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
          <Spent label="This month" figures={thisMonth} />
          <Spent label="Last month" figures={lastMonth} />
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
