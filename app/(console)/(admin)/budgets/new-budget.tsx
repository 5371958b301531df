'use client'
import { FormDialog } from '@/components/forms/form'
import { TextControl } from '@/components/forms/form-controls'
import { CustomField, FormField, SelectBeside } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { CreateBudget } from '@/lib/domains/budgets/schemas'
import { budgetShape, limitFigure } from '@/lib/domains/budgets/shape'
import { addBudget } from './actions'
import { ScopeField, type ScopeNames } from './scope-field'

type Draft = Required<Omit<CreateBudget, 'amount' | 'enabled' | 'reason'>> & { amount: string }

const usual: Draft = {
  scope: 'site',
  scopeId: null,
  amount: '',
  unit: 'micro-usd',
  window: 'month',
  unpriced: 'refuse',
}

/** Shows the form of a new budget: whom it is for, how much, how often it resets. */
export function NewBudget({ names, onClose }: { names: ScopeNames; onClose: () => void }) {
  const form = useActionForm({
    values: usual,
    send: ({ amount, ...budget }) =>
      addBudget({ ...budget, amount: limitFigure(amount, budget.unit) }),
    adjust: (now, before) => (now.scope === before.scope ? {} : { scopeId: null }),
    done: 'Added the budget',
    onDone: onClose,
  })
  const [scope, unit] = form.watch(['scope', 'unit'])
  return (
    <FormDialog
      form={form}
      title="Add budget"
      description="It counts requests from now on. If several budgets apply, a request must fit in all of them."
      button="Add budget"
      failed="The budget was not added"
      onClose={onClose}
    >
      <FormField name="scope" shape={budgetShape.scope} />
      {scope !== 'site' && <ScopeField key={scope} scope={scope} names={names} />}
      <CustomField<string> name="amount" label={budgetShape.amount.label}>
        {(control, state) => (
          <div className="flex flex-wrap gap-2">
            <TextControl
              {...control}
              className="w-32"
              name="amount"
              shape={budgetShape.amount}
              state={state}
            />
            <SelectBeside name="unit" shape={budgetShape.unit} className="w-36" />
            <SelectBeside name="window" shape={budgetShape.window} className="w-28" />
          </div>
        )}
      </CustomField>
      {unit === 'micro-usd' && <FormField name="unpriced" shape={budgetShape.unpriced} />}
    </FormDialog>
  )
}
