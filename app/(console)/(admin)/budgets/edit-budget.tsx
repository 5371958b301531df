'use client'
import { FormDialog } from '@/components/forms/form'
import { FormField, FormFields } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { BudgetListing } from '@/lib/domains/budgets/schemas'
import { budgetShape, limitFigure, limitText } from '@/lib/domains/budgets/shape'
import { visibleText } from '@/lib/protocol/clean-text'
import { changeBudget } from './actions'

/** Changes a budget's limit, and what it does with models without a price. Everything else stays. */
export function EditBudget({ budget, onClose }: { budget: BudgetListing; onClose: () => void }) {
  const { id, unit, unpriced } = budget
  const name = visibleText(budget.title)
  const form = useActionForm({
    values: { amount: limitText(budget.amount, unit), unpriced, reason: '' },
    send: ({ amount, ...change }) =>
      changeBudget({ id, amount: limitFigure(amount, unit), ...change }),
    done: `Saved ${name}`,
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Edit ${name}`}
      button="Save"
      failed="The budget was not saved"
      onClose={onClose}
    >
      <FormField
        name="amount"
        controlClass="w-40"
        shape={{
          ...budgetShape.amount,
          label: unit === 'micro-usd' ? 'Limit in US dollars' : `Limit in ${unit}`,
          hint: 'The new limit applies from the next request. Usage that is already counted stays counted.',
        }}
      />
      <FormFields
        fields={{
          unpriced: unit === 'micro-usd' && budgetShape.unpriced,
          reason: budgetShape.reason,
        }}
      />
    </FormDialog>
  )
}
