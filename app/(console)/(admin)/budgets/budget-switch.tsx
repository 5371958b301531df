'use client'
import { ReasonedSwitch } from '@/components/forms/reasoned-switch'
import type { BudgetListing } from '@/lib/domains/budgets/schemas'
import { changeBudget } from './actions'

/** Switches a budget on or off. */
export function BudgetSwitch({ budget: { id, title, enabled } }: { budget: BudgetListing }) {
  return (
    <ReasonedSwitch id={id} name={title} enabled={enabled} send={changeBudget}>
      It does not count or limit requests until it is switched on again.
    </ReasonedSwitch>
  )
}
