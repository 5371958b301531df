'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { FormDialog } from '@/components/forms/form'
import { FormField, FormFields } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { type ReferenceChoices, ResourceActions } from '@/components/resource/resource-form'
import { type Budget, budgets, limitFigure, limitText } from '@/lib/domains/budgets/shape'
import { reasonField } from '@/lib/shape/reason-words'
import { visibleText } from '@/lib/words/clean-text'
import { modelsOf, type UnpricedModel, UnpricedModels, unpricedField } from './unpriced-models'

const { spec } = resourceForm(budgets, {
  description: 'Applies from the next request.',
  removal: 'It stops limiting requests. Past costs stay in Usage.',
})

type Props = { budget: Budget; models: readonly UnpricedModel[] }

/** Edits the limit of a budget and deletes the budget. */
export function BudgetActions({ choices, ...props }: Props & { choices: ReferenceChoices }) {
  const { budget } = props
  return (
    <ResourceActions
      resource={budgets}
      stored={budget}
      form={(onClose) => <EditBudget {...props} onClose={onClose} />}
      spec={spec}
      choices={choices}
    />
  )
}

/** Changes a budget's limit, and what it does with models without a price. Everything else stays. */
export function EditBudget({ budget, models, onClose }: Props & { onClose: () => void }) {
  const request = modelsOf(models, budget)
  const { id, unit, unpriced } = budget
  const name = visibleText(budget.title)
  const form = useActionForm({
    values: { amount: limitText(budget.amount, unit), unpriced, reason: '' },
    send: ({ amount, ...change }) =>
      spec.change({ id, amount: limitFigure(amount, unit), ...change }),
    done: `Saved ${name}`,
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Edit ${name}`}
      description={spec.description}
      button="Save"
      onClose={onClose}
    >
      <FormField
        name="amount"
        controlClass="w-40"
        shape={{
          ...budgets.fields.amount,
          label: unit === 'micro-usd' ? 'Limit (USD)' : `Limit in ${unit}`,
        }}
      />
      <FormFields
        fields={{
          unpriced: unit === 'micro-usd' && unpricedField(request, budget),
          reason: reasonField,
        }}
      />
      {unit === 'micro-usd' && <UnpricedModels models={request} />}
    </FormDialog>
  )
}
