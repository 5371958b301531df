'use client'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { TextControl } from '@/components/forms/form-controls'
import { CustomField, FormField, SelectBeside } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { Person } from '@/components/people/find-people'
import { PersonPicker } from '@/components/people/person-picker'
import { Button } from '@/components/ui/button'
import { type BudgetScope, budgets, limitFigure } from '@/lib/domains/budgets/shape'
import { addBudget } from './actions'

const { fields } = budgets

const defaults = {
  ...budgets.Create.omit({ amount: true }).parse({
    scope: 'site',
    window: 'month',
    unit: 'micro-usd',
  }),
  amount: '',
}

/** Shows the form of a new budget: its scope, its limit, and how often it resets. */
function NewBudget({ names, onClose }: { names: ScopeNames; onClose: () => void }) {
  const form = useActionForm({
    values: defaults,
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
      <FormField name="scope" shape={fields.scope} />
      {scope !== 'site' && <ScopeField key={scope} scope={scope} names={names} />}
      <CustomField<string> name="amount" label={fields.amount.label}>
        {(control, state) => (
          <div className="flex flex-wrap gap-2">
            <TextControl
              {...control}
              className="w-32"
              name="amount"
              shape={fields.amount}
              state={state}
            />
            <SelectBeside name="unit" shape={fields.unit} className="w-36" />
            <SelectBeside name="window" shape={fields.window} className="w-28" />
          </div>
        )}
      </CustomField>
      {unit === 'micro-usd' && <FormField name="unpriced" shape={fields.unpriced} />}
    </FormDialog>
  )
}

export function NewBudgetButton(names: ScopeNames) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden />
        Add budget
      </Button>
      {open && <NewBudget names={names} onClose={() => setOpen(false)} />}
    </>
  )
}

type Named = { id: string; name: string }
/** The groups, configurations and API keys that a budget can be for. */
export type ScopeNames = { groups: Named[]; configurations: Named[]; keys: Named[] }

type Props = { scope: Exclude<BudgetScope, 'site'>; names: ScopeNames }

const words = {
  group: { label: 'Group', search: 'Search groups' },
  configuration: { label: 'Configuration', search: 'Search configurations' },
  key: { label: 'API key', search: 'Search API keys' },
}

/** Shows the field for the group, person, configuration or API key of a budget. Give it a `key` of the scope. */
export function ScopeField({ scope, names }: Props) {
  if (scope === 'user') return <PersonField />
  const found = { group: names.groups, configuration: names.configurations, key: names.keys }[scope]
  return (
    <FormField
      name="scopeId"
      shape={{
        kind: 'select',
        ...words[scope],
        placeholder: found.length === 0 ? 'None yet' : 'Pick one',
        choices: found.map(({ id: value, name: label }) => ({ value, label })),
      }}
    />
  )
}

function PersonField() {
  const [person, setPerson] = useState<Person | null>(null)
  return (
    <CustomField<string | null> name="scopeId" label="Person">
      {(control, { value, onChange }) => (
        <PersonPicker
          control={control}
          label="Person"
          any="Pick a person"
          chosen={person?.id === value ? (person?.email ?? null) : null}
          onPick={(picked) => {
            setPerson(picked ?? null)
            onChange(picked?.id ?? null)
          }}
        />
      )}
    </CustomField>
  )
}
