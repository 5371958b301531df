'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form-dialog'
import { ReasonField } from '@/components/forms/reason-field'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import type { BudgetListing, UnpricedRule } from '@/lib/domains/budgets/schemas'
import { visibleText } from '@/lib/protocol/visible-text'
import { changeBudget } from './actions'
import { limitFigure, limitText } from './budget-words'
import { UnpricedField } from './unpriced-field'

/** Changes a budget's limit, and what it does with models without a price. Everything else stays. */
export function EditBudget({ budget, onClose }: { budget: BudgetListing; onClose: () => void }) {
  const router = useRouter()
  const toast = useToast()
  const { id, unit, amount } = budget
  const [unpriced, setUnpriced] = useState<UnpricedRule>(budget.unpriced)
  const name = visibleText(budget.title)
  const done = () => {
    toast({ tone: 'ok', title: `Saved ${name}` })
    onClose()
    router.refresh()
  }
  return (
    <FormDialog
      title={`Edit ${name}`}
      button="Save"
      failed="The budget was not saved"
      changed={unpriced !== budget.unpriced}
      send={(text) =>
        changeBudget({
          id,
          amount: limitFigure(text('amount'), unit),
          unpriced,
          reason: text('reason'),
        })
      }
      onDone={done}
      onClose={onClose}
    >
      {(wrong, prefix) => (
        <>
          <Field
            id={`${prefix}-amount`}
            label={unit === 'micro-usd' ? 'Limit in US dollars' : `Limit in ${unit}`}
            hint="The new limit applies from the next request. Usage that is already counted stays counted."
            error={wrong.amount}
          >
            {(control) => (
              <Input
                {...control}
                name="amount"
                inputMode="decimal"
                autoComplete="off"
                className="numeric w-40"
                defaultValue={limitText(amount, unit)}
              />
            )}
          </Field>
          {unit === 'micro-usd' && (
            <UnpricedField id={`${prefix}-unpriced`} value={unpriced} onChange={setUnpriced} />
          )}
          <ReasonField id={`${prefix}-reason`} error={wrong.reason} />
        </>
      )}
    </FormDialog>
  )
}
