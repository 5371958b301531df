'use client'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { IconButton } from '@/components/ui/icon-button'
import type { BudgetListing } from '@/lib/domains/budgets/schemas'
import { visibleText } from '@/lib/protocol/clean-text'
import { removeBudget } from './actions'
import { EditBudget } from './edit-budget'

/** Shows the buttons that edit the limit and delete the budget. */
export function BudgetActions({ budget }: { budget: BudgetListing }) {
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
