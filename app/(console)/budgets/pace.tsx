import { RelativeTime } from '@/components/ui/relative-time'
import type { BudgetListing } from '@/lib/budgets/schemas'

/** When it is used up if its window goes on like this: what runs into it next stands out. */
export function Pace({ budget: { enabled, spent, amount, fullAt } }: { budget: BudgetListing }) {
  if (!enabled || spent === 0) return <span className="text-muted">no usage yet</span>
  if (spent >= amount) return <span className="font-medium text-error">used up</span>
  if (fullAt === null) return <span className="text-ok">lasts until it resets</span>
  if (Date.parse(fullAt) - Date.now() < 60_000) {
    return <span className="font-medium text-warning">used up within a minute</span>
  }
  return (
    <span className="text-warning">
      used up <RelativeTime at={fullAt} />
    </span>
  )
}
