'use client'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { objectActions } from '@/app/(console)/(admin)/object-actions'
import { FormDialog } from '@/components/forms/form'
import { TextControl } from '@/components/forms/form-controls'
import { CustomField, FormField, SelectBeside } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { Person } from '@/components/people/find-people'
import { PersonPicker } from '@/components/people/person-picker'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import {
  type Budget,
  type BudgetScope,
  budgets,
  limitFigure,
  type UnpricedRule,
} from '@/lib/domains/budgets/shape'
import { amountWords } from '@/lib/words/format'
import { EditBudget } from './budget-actions'
import { modelsOf, type UnpricedModel, UnpricedModels, unpricedField } from './unpriced-models'

const { fields } = budgets
const { add } = objectActions(budgets)

const defaults = {
  ...budgets.Create.omit({ amount: true }).parse({
    scope: 'site',
    window: 'month',
    unit: 'micro-usd',
  }),
  amount: '',
}

/** `unpriced` "" = nobody has picked yet what happens to models without a price. */
type BudgetValues = Omit<typeof defaults, 'unpriced'> & { unpriced: UnpricedRule | '' }

type NewBudgetProps = BudgetFacts & { onChange: (same: Budget) => void; onClose: () => void }

/** Shows the form of a new budget: its scope, its limit, and how often it resets. */
function NewBudget({ names, models, existing, onChange, onClose }: NewBudgetProps) {
  const form = useActionForm<BudgetValues, unknown>({
    values: models.length > 0 ? { ...defaults, unpriced: '' } : defaults,
    ask: async (typed) => isUnpicked(typed, models) && pickFirst,
    send: ({ amount, unpriced, ...budget }) =>
      add({
        ...budget,
        ...(unpriced && { unpriced }),
        amount: limitFigure(amount, budget.unit),
      }),
    adjust: (now, before) => (now.scope === before.scope ? {} : { scopeId: null }),
    done: 'Added the budget',
    onDone: onClose,
  })
  const typed = form.watch()
  const { scope, unit } = typed
  const request = modelsOf(models, typed)
  const same = existing.find((each) => isSame(each, typed))
  return (
    <FormDialog
      form={form}
      title="Add budget"
      description="A request must fit in every budget that applies."
      button="Add budget"
      failed="Not added"
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
      {same && (
        <div role="status" className="flex flex-wrap items-center gap-2 text-warning">
          <span>
            <VisibleText text={same.title} /> of {amountWords(same.amount, same.unit)} exists
            already.
          </span>
          <Button size="sm" onClick={() => onChange(same)}>
            Change it
          </Button>
        </div>
      )}
      {unit === 'micro-usd' && (request.length > 0 || typed.unpriced !== '') && (
        <>
          <FormField name="unpriced" shape={unpricedField(request, typed)} />
          <UnpricedModels models={request} />
        </>
      )}
    </FormDialog>
  )
}

const pickFirst = {
  code: 'invalid-input',
  message: 'Pick one, or add the prices.',
  fields: { unpriced: 'Pick one, or add the prices.' },
}

function isUnpicked(typed: BudgetValues, models: readonly UnpricedModel[]): boolean {
  return typed.unit === 'micro-usd' && typed.unpriced === '' && modelsOf(models, typed).length > 0
}

function isSame(budget: Budget, typed: BudgetValues): boolean {
  return (['scope', 'scopeId', 'window', 'unit'] as const).every(
    (field) => budget[field] === typed[field],
  )
}

/** Values for the form of a new budget. `models`: those in use without a price. */
type BudgetFacts = {
  names: ScopeNames
  models: readonly UnpricedModel[]
  existing: readonly Budget[]
}

export function NewBudgetButton(facts: BudgetFacts) {
  const [open, setOpen] = useState(false)
  const [changed, setChanged] = useState<Budget | null>(null)
  const change = (same: Budget) => {
    setOpen(false)
    setChanged(same)
  }
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden />
        Add budget
      </Button>
      {open && <NewBudget {...facts} onChange={change} onClose={() => setOpen(false)} />}
      {changed && (
        <EditBudget budget={changed} models={facts.models} onClose={() => setChanged(null)} />
      )}
    </>
  )
}

type Named = { id: string; name: string }
/** The groups, configurations and API keys that a budget can be for. */
type ScopeNames = { groups: Named[]; configurations: Named[]; keys: Named[] }

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
