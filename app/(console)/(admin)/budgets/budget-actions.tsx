'use client'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { FormField, FormFields } from '@/components/forms/form-field'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useActionForm } from '@/components/forms/use-action-form'
import { IconButton } from '@/components/ui/icon-button'
import { type Budget, budgets, limitFigure, limitText } from '@/lib/domains/budgets/shape'
import { visibleText } from '@/lib/protocol/clean-text'
import { reasonField } from '@/lib/protocol/field-shape'
import { changeBudget, removeBudget } from './actions'

/** Shows the buttons that edit the limit and delete the budget. */
export function BudgetActions({ budget }: { budget: Budget }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const name = visibleText(budget.title)
  const close = () => setOpen(null)
  return (
    <span className="flex justify-end gap-1">
      <IconButton label={`Edit ${name}`} size="sm" onClick={() => setOpen('edit')}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton label={`Delete ${name}`} size="sm" onClick={() => setOpen('delete')}>
        <Trash2 aria-hidden />
      </IconButton>
      {open === 'edit' && <EditBudget budget={budget} onClose={close} />}
      {open === 'delete' && (
        <ActWithReason
          title={`Delete ${name}`}
          failed="The budget was not deleted"
          done={`Deleted ${name}`}
          send={(reason) => removeBudget({ id: budget.id, reason })}
          onClose={close}
        >
          Its counters are deleted, and it no longer limits requests. The cost of past runs stays in
          Usage. To pause the budget, switch it off instead.
        </ActWithReason>
      )}
    </span>
  )
}

/** Changes a budget's limit, and what it does with models without a price. Everything else stays. */
function EditBudget({ budget, onClose }: { budget: Budget; onClose: () => void }) {
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
          ...budgets.fields.amount,
          label: unit === 'micro-usd' ? 'Limit in US dollars' : `Limit in ${unit}`,
          hint: 'The new limit applies from the next request. Usage that is already counted stays counted.',
        }}
      />
      <FormFields
        fields={{
          unpriced: unit === 'micro-usd' && budgets.fields.unpriced,
          reason: reasonField,
        }}
      />
    </FormDialog>
  )
}
