import { budgetVerbs } from '@toolgate/server/domains/budgets/verbs'
import type { Ctx } from '@toolgate/server/kernel/context'
import Link from 'next/link'
import { BudgetBar } from '@/components/budgets/budget-bar'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'

const shown = 6

/** Shows the budgets of which the largest part is used; nothing when there are none. */
export async function FullestBudgets({ ctx }: { ctx: Ctx }) {
  const { rows: budgets } = await budgetVerbs.list(ctx, { state: 'on', sort: '-used' })
  if (budgets.length === 0) return null
  return (
    <Section
      title="Budgets"
      action={
        <Link href="/budgets" className="text-link underline-offset-2 hover:underline">
          All budgets
        </Link>
      }
    >
      <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
        {budgets.slice(0, shown).map((budget) => (
          <li
            key={budget.id}
            className="flex min-w-0 flex-col gap-1 rounded-md border bg-surface-1 p-3"
          >
            <span className="font-medium text-strong [overflow-wrap:anywhere]">
              <VisibleText text={budget.title} />
            </span>
            <BudgetBar {...budget} />
            <span className="text-muted text-sm">
              Resets <RelativeTime at={budget.resetsAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
