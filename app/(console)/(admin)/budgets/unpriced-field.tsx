import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import type { UnpricedRule } from '@/lib/domains/budgets/schemas'
import { unpricedChoices } from './budget-words'

/** What a budget in dollars does with models without a price. */
export function UnpricedField({
  id,
  value,
  onChange,
}: {
  id: string
  value: UnpricedRule
  onChange: (value: UnpricedRule) => void
}) {
  return (
    <Field
      id={id}
      label="A model without a price"
      hint="Allow: the cost is not counted here, and a note in the run says so. Budgets of tokens and requests still count the request."
    >
      {(control) => (
        <Select
          {...control}
          options={unpricedChoices}
          value={value}
          onValueChange={(next) => onChange(next === 'refuse' ? 'refuse' : 'count-tokens')}
        />
      )}
    </Field>
  )
}
